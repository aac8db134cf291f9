/// The checked values of one command line. Asking for a name that the command does not declare
/// is a bug and traps.
public struct Arguments: Sendable {
  private let parameters: [Parameter]
  private var values: [String: [String]] = [:]

  init(parameters: [Parameter]) {
    precondition(
      Set(parameters.map(\.name)).count == parameters.count, "a command declares each name once")
    self.parameters = parameters
  }

  /// Whether a flag was given.
  public func has(_ flag: String) -> Bool { !given(flag).isEmpty }

  /// The value, or the default; nil if there is neither.
  public func text(_ name: String) -> String? {
    given(name).first ?? parameter(name).defaultText
  }

  /// The value of a parameter that is required or has a default.
  public func required(_ name: String) -> String {
    guard let text = text(name) else {
      preconditionFailure("\(name) is neither required nor has a default")
    }
    return text
  }

  /// The value of a parameter of kind ``Parameter/Kind/integer(_:)``, or its default.
  public func integer(_ name: String) -> Int? {
    text(name).flatMap { Int($0) }
  }

  /// All values of a repeated parameter, in their order.
  public func all(_ name: String) -> [String] { given(name) }

  func given(_ name: String) -> [String] {
    values[parameter(name).name] ?? []
  }

  private func parameter(_ name: String) -> Parameter {
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) is not declared")
    }
    return parameter
  }

  /// Checks one value and keeps it; `written` is how the parameter stands in the command line.
  mutating func add(
    _ value: String, to parameter: Parameter, written: String
  ) throws(UsageError) {
    if let fault = parameter.fault(of: value) {
      let words: [String] = if case .choice(let words) = parameter.kind { words } else { [] }
      throw UsageError(
        "\(written): \(quoted(value)) \(fault)",
        hint: nearestName(to: value, among: words).map { "did you mean \($0)?" })
    }
    guard parameter.count == .repeated || given(parameter.name).isEmpty else {
      throw UsageError("\(written) is given twice")
    }
    values[parameter.name, default: []].append(value)
  }
}

/// A text of the command line in quotes, control characters escaped, so that an error can be
/// shown in a terminal.
func quoted(_ text: String) -> String {
  let scalars = text.unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control
      ? scalar.escaped(asASCII: true) : String(scalar)
  }
  return "'\(scalars.joined())'"
}
