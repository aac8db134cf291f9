import HTTPExchange
import StrictJSON
import WebPages

/// Settings and faults as a form, and what the form sends as JSON of the control API.
enum ControlForm {
  /// One input for each field, in their order.
  ///
  /// - Parameter wrong: the field that the message with the id `problem` is about.
  static func inputs(_ fields: [FieldSheet], wrong: String?) -> [HTML] {
    fields.compactMap { field in
      let isWrong = field.name == wrong
      let problem: HTML = " aria-invalid=\"true\" aria-describedby=\"problem\""
      switch field.kind {
      case .flag:
        return """
          <label class="choice"><input type="checkbox" name="\(field.name)"\
          \(if: field.value.boolean == true, " checked")> \(label(field.name))</label>
          """
      case .integer, .integers, .text, .secret:
        return """
          <label for="\(field.name)">\(label(field.name))</label>
          <input id="\(field.name)" name="\(field.name)" autocomplete="off" spellcheck="false"
           value="\(typed(field))"\(placeholder(field))\(if: isWrong, problem)>
          """
      case .choice(let words):
        return """
          <label for="\(field.name)">\(label(field.name))</label>
          <select id="\(field.name)" name="\(field.name)"\(if: isWrong, problem)>\
          \(options(words, chosen: field.value.text))</select>
          """
      case .answers(let calls): return answers(field.value.elements ?? [], calls, isWrong)
      case .faults, .shown: return nil
      }
    }
  }

  /// A patch for the control API, out of what the form says of these fields. What was typed and
  /// is no number goes as text, so that the API refuses it by its name.
  static func patch(_ fields: [FieldSheet], _ form: [(name: String, value: String)]) -> JSONValue {
    func said(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }
    func number(_ text: String) -> JSONValue { Int64(text).map { .integer($0) } ?? .string(text) }
    return .object(
      fields.compactMap { field -> JSONMember? in
        let text = said(field.name)
        let value: JSONValue
        switch field.kind {
        case .flag: value = .bool(!text.isEmpty)
        case .integer: value = number(text)
        case .integers:
          value = .array(
            text.split { $0 == "," || $0 == " " }.map { number(String($0)) })
        case .choice: value = .string(text)
        case .text: value = text.isEmpty ? .null : .string(text)
        case .secret:
          guard !text.isEmpty else { return nil }
          value = .string(text)
        case .answers:
          value = .array(
            (0..<SandboxLimits.answerFaultsMax).compactMap { row in
              let kind = said("kind-\(row)")
              guard !kind.isEmpty else { return nil }
              let call = said("call-\(row)")
              return .object([
                "call": call.isEmpty ? .null : .string(call), "kind": .string(kind),
                "times": number(said("times-\(row)")),
                "delay_ms": number(said("delay-\(row)")),
              ])
            })
        case .faults, .shown: return nil
        }
        return JSONMember(name: field.name, value: value)
      })
  }

  /// The fields as somebody has filled them in.
  static func filled(_ fields: [FieldSheet], _ patch: JSONValue) -> [FieldSheet] {
    fields.map { field in
      var field = field
      if field.kind != .secret { field.value = patch[field.name] ?? field.value }
      return field
    }
  }

  static func options(_ words: [String], chosen: String?) -> [HTML] {
    words.map { "<option\(if: $0 == chosen, " selected")>\($0)</option>" }
  }

  /// `session_life_ms` as people read it.
  static func label(_ name: String) -> String {
    let isTime = name.hasSuffix("_ms")
    let words = PageWording.words(isTime ? String(name.dropLast(3)) : name)
    return words.prefix(1).uppercased() + words.dropFirst() + (isTime ? " (ms)" : "")
  }

  /// A value as it stands in an input.
  private static func typed(_ field: FieldSheet) -> String {
    if field.kind == .secret { return "" }
    return (field.value.elements ?? [field.value]).map(plain).joined(separator: ", ")
  }

  private static func plain(_ value: JSONValue) -> String {
    value.text ?? value.int64.map { "\($0)" } ?? ""
  }

  private static func placeholder(_ field: FieldSheet) -> HTML? {
    switch field.kind {
    case .secret: field.value.isNull ? " placeholder=\"none\"" : " placeholder=\"set; hidden\""
    case .text: " placeholder=\"none\""
    default: nil
    }
  }

  /// A row for each answer that is to be spoilt, and one for another.
  private static func answers(
    _ rows: [JSONValue], _ calls: [String], _ isWrong: Bool
  ) -> HTML {
    let problem: HTML = " aria-describedby=\"problem\""
    let count = min(rows.count + 1, SandboxLimits.answerFaultsMax)
    return """
      <fieldset\(if: isWrong, problem)><legend>Answers that go wrong</legend>
      \((0..<count).map { answer($0, $0 < rows.count ? rows[$0] : .null, calls) })
      </fieldset>
      """
  }

  private static func answer(_ row: Int, _ value: JSONValue, _ calls: [String]) -> HTML {
    """
    <div class="answer" role="group" aria-label="Answer \(row + 1)">
    <div><label for="kind-\(row)">Goes wrong</label>
    <select id="kind-\(row)" name="kind-\(row)"><option value="">not at all</option>\
    \(options(AnswerFaultKind.allCases.map(\.rawValue), chosen: value["kind"]?.text))</select></div>
    <div><label for="call-\(row)">Call</label>
    <select id="call-\(row)" name="call-\(row)"><option value="">any</option>\
    \(options(calls, chosen: value["call"]?.text))</select></div>
    <div><label for="times-\(row)">Times</label>
    <input id="times-\(row)" name="times-\(row)" inputmode="numeric" autocomplete="off"
     value="\(value["times"].map(plain) ?? "1")"></div>
    <div><label for="delay-\(row)">Late (ms)</label>
    <input id="delay-\(row)" name="delay-\(row)" inputmode="numeric" autocomplete="off"
     value="\(value["delay_ms"].map(plain) ?? "0")"></div>
    </div>
    """
  }
}
