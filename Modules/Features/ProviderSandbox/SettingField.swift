import HTTPExchange
import StrictJSON

/// One named value of a settings structure as it stands in the control API, so that reading,
/// writing and refusing of a setting cannot drift apart.
struct SettingField<Root> {
  let name: String
  /// What a form asks it by.
  let kind: SettingKind
  let read: (Root) -> JSONValue
  /// Returns false if the value does not fit.
  let write: (inout Root, JSONValue) throws(ControlError) -> Bool

  static func flag(_ name: String, _ path: WritableKeyPath<Root, Bool>) -> Self {
    SettingField(
      name: name, kind: .flag, read: { .bool($0[keyPath: path]) },
      write: { root, value in
        guard let value = value.boolean else { return false }
        root[keyPath: path] = value
        return true
      })
  }

  static func integer(
    _ name: String, _ path: WritableKeyPath<Root, Int64>, _ range: ClosedRange<Int64>
  ) -> Self {
    SettingField(
      name: name, kind: .integer, read: { .integer($0[keyPath: path]) },
      write: { root, value in
        guard let value = value.int64, range.contains(value) else { return false }
        root[keyPath: path] = value
        return true
      })
  }

  static func integers(
    _ name: String, _ path: WritableKeyPath<Root, [Int64]>, _ range: ClosedRange<Int64>,
    count: ClosedRange<Int>
  ) -> Self {
    SettingField(
      name: name, kind: .integers,
      read: { .array($0[keyPath: path].map { .integer($0) }) },
      write: { root, value in
        guard let elements = value.elements, count.contains(elements.count) else { return false }
        let values = elements.compactMap(\.int64).filter(range.contains)
        guard values.count == elements.count else { return false }
        root[keyPath: path] = values
        return true
      })
  }

  static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ path: WritableKeyPath<Root, Value>
  ) -> Self {
    SettingField(
      name: name, kind: .choice(Value.allCases.map(\.rawValue)),
      read: { .string($0[keyPath: path].rawValue) },
      write: { root, value in
        guard let value = value.text.flatMap(Value.init(rawValue:)) else { return false }
        root[keyPath: path] = value
        return true
      })
  }

  static func text(
    _ name: String, _ path: WritableKeyPath<Root, String?>, _ isValid: @escaping (String) -> Bool
  ) -> Self {
    SettingField(
      name: name, kind: .text, read: { .optional($0[keyPath: path]) },
      write: { root, value in
        guard value.isNull || value.text.map(isValid) == true else { return false }
        root[keyPath: path] = value.text
        return true
      })
  }

  /// A text that is written and never shown again: reading tells only that it is there.
  static func secret(
    _ name: String, _ path: WritableKeyPath<Root, String?>, _ isValid: @escaping (String) -> Bool
  ) -> Self {
    SettingField(
      name: name, kind: .secret, read: { .optional($0[keyPath: path].map { _ in "set" }) },
      write: Self.text(name, path, isValid).write)
  }

  /// Changes the named values and leaves the others; nothing is changed if one does not fit.
  ///
  /// - Throws: ``ControlError`` with the name of the first that is unknown or does not fit.
  static func patch(
    _ root: inout Root, with body: JSONValue, _ fields: [SettingField<Root>]
  ) throws(ControlError) {
    guard let members = body.members else { throw ControlError("the body is not an object") }
    var changed = root
    for member in members {
      guard let field = fields.first(where: { $0.name == member.name }) else {
        throw ControlError("unknown setting: \(member.name)")
      }
      guard try field.write(&changed, member.value) else {
        throw ControlError("bad value for \(member.name)", field: member.name)
      }
    }
    root = changed
  }

  static func show(_ root: Root, _ fields: [SettingField<Root>]) -> JSONValue {
    .object(fields.map { JSONMember(name: $0.name, value: $0.read(root)) })
  }
}

/// Why the control API refuses a call; its text is the answer.
struct ControlError: Error, Hashable {
  let text: String
  /// The setting that does not fit, if it is one.
  let field: String?

  init(_ text: String, field: String? = nil) {
    self.text = text
    self.field = field
  }

  var response: HTTPResponse {
    var members = [JSONMember(name: "error", value: .string(text))]
    if let field { members.append(JSONMember(name: "field", value: .string(field))) }
    return .json(.object(members), status: 400)
  }
}

/// What a form asks a setting by.
enum SettingKind: Sendable, Hashable {
  case flag, integer, integers, text
  /// One of these words.
  case choice([String])
  /// A text that is never shown.
  case secret
  /// Answers to be spoilt, of these calls.
  case answers([String])
  /// All faults, which have a form of their own.
  case faults
  /// Shown alone; the control API changes it.
  case shown
}
