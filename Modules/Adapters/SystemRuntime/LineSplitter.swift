/// Cuts a stream of bytes into lines, whatever the pieces in which it comes.
struct LineSplitter {
  private let lineBytesMax: Int
  private var pending: [UInt8] = []

  /// - Parameter lineBytesMax: a longer line is handed on in pieces of this size.
  init(lineBytesMax: Int) {
    self.lineBytesMax = lineBytesMax
  }

  /// What came after the last line end, nil if nothing did.
  var rest: String? {
    pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
  }

  /// Takes the next bytes and gives the lines that they complete, without line ends.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte != 0x0A { pending.append(byte) }
      if byte == 0x0A || pending.count == lineBytesMax {
        lines.append(String(decoding: pending, as: UTF8.self))
        pending = []
      }
    }
    return lines
  }
}
