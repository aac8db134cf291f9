/// The same bytes with spaces in place of lines that begin with `//`, so that what stands behind
/// them keeps its place.
///
/// No text of JSON goes over the end of a line, so a line that begins like this is in none.
func blankingComments(_ bytes: [UInt8]) -> [UInt8] {
  var plain = bytes
  var start = bytes.startIndex
  while start < bytes.endIndex {
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let text = bytes[start..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    if text.starts(with: "//".utf8) {
      for index in start..<end { plain[index] = UInt8(ascii: " ") }
    }
    start = end + 1
  }
  return plain
}

/// Line and column of a byte, both from 1; a column is a character, or a piece of a broken one.
func place(of offset: Int, in bytes: [UInt8]) -> String {
  let before = bytes.prefix(offset)
  let line = before.count { $0 == UInt8(ascii: "\n") } + 1
  let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  // Bytes that go on with a character of UTF-8 begin with the bits 10.
  let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
  return "line \(line), column \(column)"
}
