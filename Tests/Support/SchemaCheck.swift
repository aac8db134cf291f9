public import StrictJSON

/// Checks values against the words of JSON Schema that the API's document uses, as a reader of the
/// document would.
public struct SchemaCheck: Sendable {
  private let document: JSONValue
  private let forbidsStrangers: Bool

  /// - Parameter forbidsStrangers: whether a member that the schema does not name is a fault too.
  public init(_ document: JSONValue, forbidsStrangers: Bool) {
    self.document = document
    self.forbidsStrangers = forbidsStrangers
  }

  /// A schema of the document by its name.
  public func schema(_ name: String) throws -> JSONValue {
    guard let schema = document["components"]?["schemas"]?[name] else {
      throw StepFailed("no schema \(name)")
    }
    return schema
  }

  /// What is wrong with a value; empty if nothing.
  public func faults(_ value: JSONValue, _ schema: JSONValue, at path: String = "") -> [String] {
    if let reference = schema["$ref"]?.text {
      let name = String(reference.split(separator: "/").last ?? "")
      guard let target = try? self.schema(name) else { return ["\(path): no schema \(name)"] }
      return faults(value, target, at: path)
    }
    if let all = schema["allOf"]?.elements {
      // A member that one of them names is no stranger to the others.
      let open = SchemaCheck(document, forbidsStrangers: false)
      return faults(value, all[0], at: path)
        + all.dropFirst().flatMap { open.faults(value, $0, at: path) }
    }
    if let any = schema["anyOf"]?.elements {
      let found = any.map { faults(value, $0, at: path) }
      return found.contains { $0.isEmpty } ? [] : found.first ?? []
    }
    let types =
      schema["type"]?.elements?.compactMap(\.text) ?? [schema["type"]?.text].compactMap(\.self)
    guard types.isEmpty || types.contains(where: { value.isOf($0) }) else {
      return ["\(path): is not \(types.joined(separator: " or "))"]
    }
    if let words = schema["enum"]?.elements, !words.contains(value) {
      return ["\(path): no such word"]
    }
    return textFaults(value, schema, path) + numberFaults(value, schema, path)
      + arrayFaults(value, schema, path) + objectFaults(value, schema, path)
  }

  private func textFaults(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard let text = value.text else { return [] }
    let count = Int64(text.unicodeScalars.count)
    var faults: [String] = []
    if let least = schema["minLength"]?.int64, count < least { faults.append("\(path): too short") }
    if let most = schema["maxLength"]?.int64, count > most { faults.append("\(path): too long") }
    if let pattern = schema["pattern"]?.text {
      let isMatch = (try? Regex(pattern.replacing(#/\\u([0-9A-F]{4})/#) { "\\u{\($0.1)}" }))
        .map { (try? $0.matchingSemantics(.unicodeScalar).wholeMatch(in: text)) != nil }
      switch isMatch {
      case true?: break
      case false?: faults.append("\(path): not of the form")
      case nil: faults.append("\(path): the pattern is none")
      }
    }
    return faults
  }

  private func numberFaults(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard let number = value.int64 else { return [] }
    let least = schema["minimum"]?.int64 ?? .min
    let most = schema["maximum"]?.int64 ?? .max
    return (least...most).contains(number) ? [] : ["\(path): out of bounds"]
  }

  private func arrayFaults(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard let elements = value.elements else { return [] }
    let count = Int64(elements.count)
    var faults: [String] = []
    if let least = schema["minItems"]?.int64, count < least { faults.append("\(path): too few") }
    if let most = schema["maxItems"]?.int64, count > most { faults.append("\(path): too many") }
    guard let items = schema["items"] else { return faults }
    for (index, element) in elements.enumerated() {
      faults += self.faults(element, items, at: "\(path)[\(index)]")
    }
    return faults
  }

  private func objectFaults(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    guard let members = value.members else { return [] }
    var faults: [String] = []
    for name in schema["required"]?.elements ?? [] where value[name.text ?? ""] == nil {
      faults.append("\(path): lacks \(name.text ?? "")")
    }
    guard let known = schema["properties"] else { return faults }
    for member in members {
      if let schema = known[member.name] {
        faults += self.faults(member.value, schema, at: "\(path).\(member.name)")
      } else if forbidsStrangers || schema["additionalProperties"] == .bool(false) {
        faults.append("\(path).\(member.name): is not documented")
      }
    }
    return faults
  }
}

extension JSONValue {
  fileprivate func isOf(_ type: String) -> Bool {
    switch type {
    case "string": text != nil
    case "integer": int64 != nil
    case "boolean": boolean != nil
    case "array": elements != nil
    case "object": members != nil
    case "null": isNull
    default: false
    }
  }
}
