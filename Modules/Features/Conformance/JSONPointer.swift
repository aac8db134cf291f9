import StrictJSON

extension JSONValue {
  /// The value that a JSON pointer (RFC 6901) names, numbers and booleans as their text; nil if it
  /// is absent or null.
  func text(pointer: String) -> String? {
    guard let value = value(pointer: pointer) else { return nil }
    return value.text ?? value.numberText ?? value.boolean.map { $0 ? "true" : "false" }
  }

  private func value(pointer: String) -> JSONValue? {
    var value = self
    for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
      guard let next = Int(name).flatMap({ value[$0] }) ?? value[name] else { return nil }
      value = next
    }
    return value.isNull ? nil : value
  }
}
