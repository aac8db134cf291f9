/// The first printable characters of a peer's text, fit for a log: secrets, keys, e-mail
/// addresses and long numbers are starred out, byte for byte.
///
/// Every mask keeps the length, and the text is masked well past the cut, so nothing that
/// straddles the cut slips through by half.
public struct MaskedText {
  /// So many bytes are shown: enough to tell a proxy's page from the provider's own words.
  public static let shownBytesMax = 200

  private static let readBytesMax = 1_024
  private static let star = UInt8(ascii: "*")

  private var bytes: [UInt8]

  /// Masks `text`; each of `secrets` is starred out in any casing.
  public static func shown(_ text: some Sequence<UInt8>, secrets: [String]) -> String {
    var masked = MaskedText(text)
    for secret in secrets { masked.star(secret: secret) }
    masked.starKeys()
    masked.starAddresses()
    masked.starNumbers()
    return String(decoding: masked.bytes.prefix(shownBytesMax), as: UTF8.self)
  }

  private init(_ text: some Sequence<UInt8>) {
    bytes = text.prefix(Self.readBytesMax).map { (0x20...0x7E).contains($0) ? $0 : 0x2E }
  }

  private mutating func star(secret: String) {
    // As the text is: what is not printable is a point there.
    let needle = secret.utf8.map { folded((0x20...0x7E).contains($0) ? $0 : 0x2E) }
    guard !needle.isEmpty, needle.count <= bytes.count else { return }
    for start in 0...bytes.count - needle.count
    where zip(bytes[start...], needle).allSatisfy({ folded($0) == $1 }) {
      star(start..<start + needle.count)
    }
  }

  /// Stars whatever follows `sk_` or `pk_`: a key, also another account's or one that was cut.
  private mutating func starKeys() {
    starRuns(of: { isWordByte($0) }) { run in
      let head = run.prefix(3).map(folded)
      return head == Array("sk_".utf8) || head == Array("pk_".utf8)
    }
  }

  private mutating func starAddresses() {
    starRuns(of: { isWordByte($0) || [0x25, 0x2B, 0x2E, 0x40].contains($0) }) {
      // A URL writes the sign as an escape.
      $0.contains(UInt8(ascii: "@")) || String(decoding: $0, as: UTF8.self).contains("%40")
    }
  }

  /// Stars runs of 7 digits or more, separators between them included: phone numbers, cards.
  private mutating func starNumbers() {
    starRuns(of: { isDigit($0) || [0x20, 0x28, 0x29, 0x2B, 0x2D, 0x2E].contains($0) }) { run in
      run.count(where: isDigit) >= 7
    }
  }

  private mutating func starRuns(
    of isPart: (UInt8) -> Bool, where mustHide: (ArraySlice<UInt8>) -> Bool
  ) {
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, isPart(bytes[end]) { end += 1 }
      if end > start, mustHide(bytes[start..<end]) { star(start..<end) }
      start = end + 1
    }
  }

  private mutating func star(_ range: Range<Int>) {
    for index in range { bytes[index] = Self.star }
  }
}

private func folded(_ byte: UInt8) -> UInt8 {
  (65...90).contains(byte) ? byte | 0x20 : byte
}

private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

private func isWordByte(_ byte: UInt8) -> Bool {
  isDigit(byte) || (97...122).contains(folded(byte)) || byte == 0x2D || byte == 0x5F
}
