public import StrictJSON

extension JSONValue {
  /// The same JSON with the value at `path` replaced; nil takes the member out. A path that leads
  /// nowhere changes nothing.
  public func editing(
    _ path: some StringProtocol, _ edit: (JSONValue) -> JSONValue?
  ) -> JSONValue {
    let parts = path.split(separator: ".", maxSplits: 1)
    guard let name = parts.first else { return self }
    func change(_ value: JSONValue) -> JSONValue? {
      parts.count > 1 ? value.editing(parts[1], edit) : edit(value)
    }
    switch self {
    case .object(let members):
      return .object(
        members.compactMap { member in
          guard member.name == name else { return member }
          return change(member.value).map { JSONMember(name: member.name, value: $0) }
        })
    case .array(let elements):
      return .array(
        elements.enumerated().compactMap { index, value in
          String(index) == name ? change(value) : value
        })
    default: return self
    }
  }

  /// The same JSON with a member that nobody knows in every object, before and behind the others.
  public func withUnknownMembers() -> JSONValue {
    switch self {
    case .object(let members):
      let known = members.map { JSONMember(name: $0.name, value: $0.value.withUnknownMembers()) }
      let odd = JSONValue.array([.null, .number("1e300"), .object(["id": .string("x")])])
      return .object(
        [JSONMember(name: "a_new_member", value: odd)] + known
          + [JSONMember(name: "ümlaut", value: .bool(false))])
    case .array(let elements): return .array(elements.map { $0.withUnknownMembers() })
    default: return self
    }
  }
}
