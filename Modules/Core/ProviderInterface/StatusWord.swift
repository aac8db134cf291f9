/// `text` with A–Z as a–z and every other character as it is, for comparing a provider's words:
/// no locale decides what a status means, and no look-alike letter passes for another.
public func asciiLowercased(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        (65...90).contains(scalar.value)
          ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
      }))
}

/// A status that the kit does not know, as it is kept and shown: the word as it came, cut where it
/// is no word any more.
public func unknownWord(_ text: String) -> String {
  String(String.UnicodeScalarView(text.unicodeScalars.prefix(unknownWordScalarsMax)))
}

/// An unknown word is stored and shown; a longer one than this is not a word.
private let unknownWordScalarsMax = 64
