/// A phone number in international form, cut into country calling code and the rest: the one place
/// through which a buyer's number goes on its way to a provider.
///
/// A number that is not certainly international is none: guessing a country makes a number of
/// somebody else's.
public struct InternationalPhone: Hashable, Sendable {
  /// Digits of the calling code, without `+`.
  public let callingCode: String
  /// Digits after it.
  public let subscriber: String

  /// The number with `+` before it and nothing in between.
  public var text: String { "+\(callingCode)\(subscriber)" }

  /// Takes a number apart that is known.
  public init(callingCode: String, subscriber: String) {
    self.callingCode = callingCode
    self.subscriber = subscriber
  }

  /// Reads `+971 50 000 0001` or `0097150…`; nil for everything else: national numbers, extensions,
  /// numbers that are too short or too long.
  public init?(_ text: String) {
    let bare = Self.bare(text)
    let number: String
    if bare.hasPrefix("+") {
      number = String(bare.dropFirst())
    } else if bare.hasPrefix("00") {
      number = String(bare.dropFirst(2))
    } else {
      return nil
    }
    // `(0)` is dialled at home alone; other brackets only group.
    let international = number.replacing("(0)", with: "").filter { $0 != "(" && $0 != ")" }
    guard international.utf8.allSatisfy({ (48...57).contains($0) }),
      (Self.digitsMin...Self.digitsMax).contains(international.utf8.count),
      let length = Self.callingCodeLength(international)
    else { return nil }
    callingCode = String(international.prefix(length))
    subscriber = String(international.dropFirst(length))
  }

  /// `text` without white space, the usual separators and marks that turn the writing direction,
  /// its digits of any script as the ASCII ones.
  public static func bare(_ text: String) -> String {
    var bare = ""
    for scalar in text.unicodeScalars where !isSeparator(scalar) {
      bare.unicodeScalars.append(asciiDigit(scalar) ?? scalar)
    }
    return bare
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.isBidiControl || "-./".unicodeScalars.contains(scalar)
  }

  // ITU-T E.164: 15 digits at the most; no country has whole numbers under 7.
  private static let digitsMin = 7
  private static let digitsMax = 15

  /// ITU-T E.164: codes of one digit are 1 and 7, those of two are listed, all others have three.
  private static func callingCodeLength(_ digits: String) -> Int? {
    switch digits.first {
    case "0", nil: nil
    case "1", "7": 1
    default: twoDigitCodes.contains(" \(digits.prefix(2)) ") ? 2 : 3
    }
  }

  private static let twoDigitCodes =
    " 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 "
    + "65 66 81 82 84 86 90 91 92 93 94 95 98 "

  /// A decimal digit of any script as the ASCII one. Not by the scalar's own value, a binary float,
  /// whose rounding would need the mathematical library.
  private static func asciiDigit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.properties.numericType == .decimal,
      let value = Character(scalar).wholeNumberValue, let digit = UInt8(exactly: value)
    else { return nil }
    return Unicode.Scalar(48 + digit)
  }
}
