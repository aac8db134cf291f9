extension JSONValue {
  /// The compact text: members in their order, nothing escaped but what must be (`"`, `\` and
  /// the control characters below U+0020).
  ///
  /// - Precondition: number texts are JSON numbers, and no object names a member twice. Values
  ///   that were parsed always comply.
  public func serialized() -> [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  /// The compact text of an object whose members `tell` hands over in their order, without an
  /// object being made of them: for an answer that is given again and again.
  ///
  /// - Precondition: as for ``serialized()``; that no name comes twice is not looked at.
  public static func text(_ tell: ((String, JSONValue) -> Void) -> Void) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(textBytesUsual)
    output.append(UInt8(ascii: "{"))
    tell { name, value in
      if output.count > 1 { output.append(UInt8(ascii: ",")) }
      writeString(name, to: &output)
      output.append(UInt8(ascii: ":"))
      value.write(to: &output)
    }
    output.append(UInt8(ascii: "}"))
    return output
  }

  /// A view of a payment is two thirds of it.
  private static let textBytesUsual = 1_024

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let text):
      precondition(isJSONNumber(text), "a number's text is a JSON number")
      output.append(contentsOf: text.utf8)
    case .string(let text): writeString(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members): writeObject(members, to: &output)
    }
  }

  private func writeObject(_ members: [JSONMember], to output: inout [UInt8]) {
    precondition(!hasDuplicate(members), "an object names each member once")
    output.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      writeString(member.name, to: &output)
      output.append(UInt8(ascii: ":"))
      member.value.write(to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }
}

private func writeString(_ text: String, to output: inout [UInt8]) {
  output.append(UInt8(ascii: "\""))
  let start = output.count
  output.append(contentsOf: text.utf8)
  // Most texts need no escape: they are copied whole and only then looked at.
  if output[start...].contains(where: mustEscape) {
    let plain = output[start...]
    output.removeSubrange(start...)
    for byte in plain { writeEscaped(byte, to: &output) }
  }
  output.append(UInt8(ascii: "\""))
}

private func mustEscape(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

private func writeEscaped(_ byte: UInt8, to output: inout [UInt8]) {
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
  case 0x08: output.append(contentsOf: "\\b".utf8)
  case 0x0C: output.append(contentsOf: "\\f".utf8)
  case 0x0A: output.append(contentsOf: "\\n".utf8)
  case 0x0D: output.append(contentsOf: "\\r".utf8)
  case 0x09: output.append(contentsOf: "\\t".utf8)
  case ..<0x20:
    let digits = Array("0123456789abcdef".utf8)
    output.append(contentsOf: "\\u00".utf8)
    output += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  default: output.append(byte)
  }
}

private func isJSONNumber(_ text: String) -> Bool {
  // Nearly every number is a short whole one.
  let isShort =
    text.utf8.allSatisfy { (48...57).contains($0) } && (1...18).contains(text.utf8.count)
  if isShort, text.utf8.first != 48 || text.utf8.count == 1 { return true }
  var reader = JSONReader(bytes: Array(text.utf8), depthMax: 0)
  return (try? reader.number()) != nil && reader.position == reader.bytes.count
}

private func hasDuplicate(_ members: [JSONMember]) -> Bool {
  guard members.count > NameSet.linearMax else {
    return members.indices.contains { index in
      members[..<index].contains { $0.name == members[index].name }
    }
  }
  return Set(members.map(\.name)).count != members.count
}
