extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC with milliseconds where there are any: `2026-11-30T08:11:14Z`.
  ///
  /// ``init(iso8601:)`` reads it back for the years 0 to 9999.
  public var description: String {
    let days = milliseconds.dividedDown(by: 86_400_000)
    // Not `milliseconds - days * 86_400_000`, which does not fit at the lower end of Int64.
    let rest = (milliseconds % 86_400_000 + 86_400_000) % 86_400_000
    let date = civilDate(fromDays: days)
    let seconds = rest / 1_000
    var text: [UInt8] = []
    text.reserveCapacity(24)
    append(date.year, 4, to: &text)
    for (mark, value): (Unicode.Scalar, Int64) in [
      ("-", date.month), ("-", date.day), ("T", seconds / 3_600), (":", seconds / 60 % 60),
      (":", seconds % 60),
    ] {
      text.append(UInt8(ascii: mark))
      append(value, 2, to: &text)
    }
    if rest % 1_000 != 0 {
      text.append(UInt8(ascii: "."))
      append(rest % 1_000, 3, to: &text)
    }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads `2019-08-24T14:15:22Z`, with a fraction (cut to milliseconds) or an offset
  /// (`+03:00`) if there is one, or a bare date, which means its first instant in UTC.
  ///
  /// Returns nil for every other text. It never guesses a zone for a time that has none.
  public init?(iso8601 text: String) {
    var scanner = DateScanner(bytes: Array(text.utf8))
    guard let year = scanner.number(4), scanner.skip("-"),
      let month = scanner.number(2), scanner.skip("-"),
      let day = scanner.number(2), (1...12).contains(month),
      (1...daysIn(month: month, year: year)).contains(day)
    else { return nil }
    let days = daysFromCivil(year: year, month: month, day: day)
    if scanner.isAtEnd {
      self.init(milliseconds: days * 86_400_000)
      return
    }
    guard scanner.skip("T"), let hour = scanner.number(2), scanner.skip(":"),
      let minute = scanner.number(2), scanner.skip(":"), let second = scanner.number(2),
      hour < 24, minute < 60, second < 61,
      let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd
    else { return nil }
    let seconds = hour * 3_600 + minute * 60 + second - offset
    self.init(milliseconds: days * 86_400_000 + seconds * 1_000 + fraction)
  }
}

/// Reads fixed-width fields from ASCII bytes.
private struct DateScanner {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  mutating func number(_ width: Int) -> Int64? {
    guard position + width <= bytes.count else { return nil }
    var value: Int64 = 0
    for byte in bytes[position..<position + width] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 48)
    }
    position += width
    return value
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  /// Milliseconds of an optional fraction; nil for a point without digits.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    var value: Int64 = 0
    var digits = 0
    while position < bytes.count, (48...57).contains(bytes[position]), digits < 9 {
      if digits < 3 { value = value * 10 + Int64(bytes[position] - 48) }
      digits += 1
      position += 1
    }
    guard digits > 0 else { return nil }
    for _ in digits..<max(3, digits) { value *= 10 }
    return value
  }

  /// Seconds east of UTC.
  mutating func offset() -> Int64? {
    if skip("Z") { return 0 }
    let sign: Int64 = skip("+") ? 1 : (skip("-") ? -1 : 0)
    guard sign != 0, let hours = number(2), skip(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}

/// At least `width` digits, behind a sign if the number is below zero.
private func append(_ value: Int64, _ width: Int, to text: inout [UInt8]) {
  if value < 0 { text.append(UInt8(ascii: "-")) }
  var power: UInt64 = 1
  var count = 1
  while count < width || value.magnitude / power >= 10 {
    power *= 10
    count += 1
  }
  while power > 0 {
    text.append(UInt8(ascii: "0") + UInt8(value.magnitude / power % 10))
    power /= 10
  }
}

private func daysIn(month: Int64, year: Int64) -> Int64 {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

/// Days since 1970-01-01 of a date of the Gregorian calendar, counted in 400-year eras that
/// begin on 1 March, so that the leap day is the last of its year.
private func daysFromCivil(year: Int64, month: Int64, day: Int64) -> Int64 {
  let shifted = month <= 2 ? year - 1 : year
  let era = shifted.dividedDown(by: 400)
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

private func civilDate(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = days + 719_468
  let era = shifted.dividedDown(by: 146_097)
  let dayOfEra = shifted - era * 146_097
  let yearOfEra =
    (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}

extension Int64 {
  /// Division that rounds towards negative infinity.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
