import StrictJSON

/// Puts values in the places of `{name}`.
func filled(_ text: String, _ values: [String: String]) -> String {
  var result = ""
  var rest = text[...]
  while let open = rest.firstIndex(of: "{") {
    result += rest[..<open]
    let inner = rest[rest.index(after: open)...]
    guard let close = inner.firstIndex(of: "}"), let value = values[String(inner[..<close])] else {
      result += "{"
      rest = inner
      continue
    }
    result += value
    rest = inner[inner.index(after: close)...]
  }
  return result + rest
}

extension JSONValue {
  /// The same document with `{name}` replaced in its strings.
  func filled(with values: [String: String]) -> JSONValue {
    switch self {
    case .string(let text): .string(Conformance.filled(text, values))
    case .array(let elements): .array(elements.map { $0.filled(with: values) })
    case .object(let members):
      .object(
        members.map { JSONMember(name: $0.name, value: $0.value.filled(with: values)) })
    default: self
    }
  }
}
