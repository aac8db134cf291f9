import PaymentModels
import SQLiteConnection

extension SQLiteValue {
  static func instant(_ instant: Instant?) -> SQLiteValue { .integer(instant?.milliseconds) }

  static func id(_ id: (some TextIdentifier)?) -> SQLiteValue { .text(id?.rawValue) }

  static func word(_ word: some RawRepresentable<String>) -> SQLiteValue { .text(word.rawValue) }

  static func count(_ count: Int) -> SQLiteValue { .integer(Int64(count)) }

  static func flag(_ flag: Bool) -> SQLiteValue { .integer(flag ? 1 : 0) }
}

extension Money {
  /// Minor units, code, exponent: the row keeps its exponent.
  var values: [SQLiteValue] {
    [.integer(minorUnits), .text(currency.code), .count(currency.exponent)]
  }
}

extension SQLiteRow {
  mutating func instant() throws(SQLiteError) -> Instant {
    Instant(milliseconds: try integer())
  }

  mutating func optionalInstant() throws(SQLiteError) -> Instant? {
    try optionalInteger().map { Instant(milliseconds: $0) }
  }

  mutating func id<ID: TextIdentifier>() throws(SQLiteError) -> ID { ID(try text()) }

  mutating func optionalID<ID: TextIdentifier>() throws(SQLiteError) -> ID? {
    try optionalText().map { ID($0) }
  }

  mutating func word<Word: RawRepresentable<String>>() throws(SQLiteError) -> Word {
    guard let word: Word = try optionalWord() else {
      throw SQLiteError(.damaged, "a column that holds a word holds none")
    }
    return word
  }

  mutating func optionalWord<Word: RawRepresentable<String>>() throws(SQLiteError) -> Word? {
    guard let text = try optionalText() else { return nil }
    guard let word = Word(rawValue: text) else {
      throw SQLiteError(.damaged, "a column holds a word that is not in its list")
    }
    return word
  }

  mutating func flag() throws(SQLiteError) -> Bool { try integer() != 0 }

  mutating func count() throws(SQLiteError) -> Int { Int(try integer()) }

  mutating func money() throws(SQLiteError) -> Money {
    let minorUnits = try integer()
    guard let currency = Currency(code: try text(), exponent: try count()) else {
      throw SQLiteError(.damaged, "a row holds what is not a currency")
    }
    return Money(minorUnits: minorUnits, currency: currency)
  }
}
