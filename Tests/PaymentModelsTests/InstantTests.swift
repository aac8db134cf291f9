import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("Instants")
struct InstantTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("1970-01-01", 0),
      ("1969-12-31T23:59:59.999Z", -1),
      ("2019-08-24T14:15:22Z", 1_566_656_122_000),
      ("2026-09-21T14:13:20Z", 1_790_000_000_000),
      ("2000-02-29T00:00:00Z", 951_782_400_000),
      ("2024-02-29", 1_709_164_800_000),
      ("2000-03-01", 951_868_800_000),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000),
      ("0000-03-01", -62_162_035_200_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      // Offsets are taken off; they may lead into another day or year.
      ("2026-01-01T00:30:00+03:00", 1_767_216_600_000),
      ("2025-12-31T21:30:00Z", 1_767_216_600_000),
      ("2025-12-31T16:00:00-05:30", 1_767_216_600_000),
      ("1970-01-01T00:00:00-00:00", 0),
      ("1970-01-01T23:59:00+23:59", 0),
      // Fractions are cut to milliseconds.
      ("1970-01-01T00:00:00.1Z", 100),
      ("1970-01-01T00:00:00.12Z", 120),
      ("1970-01-01T00:00:00.123Z", 123),
      ("1970-01-01T00:00:00.123999999Z", 123),
      ("1970-01-01T00:00:00.000001Z", 0),
      ("1970-01-01T00:00:00.5+00:01", -59_500),
      // A leap second is the first second of the next minute.
      ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ] as [(String, Int64)])
  func `ISO 8601 is read`(text: String, milliseconds: Int64) {
    #expect(Instant(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test(
    arguments: [
      "", "2026", "2026-01", "2026-1-1", "26-01-01", "2026-13-01", "2026-00-01", "2026-01-00",
      "2026-01-32", "2026-04-31", "2026-02-29", "1900-02-29", "2100-02-29", "2024-02-30",
      "2026-01-01T", "2026-01-01T00:00Z", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z",
      "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
      "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00+3:00",
      "2026-01-01T00:00:00+0300", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+03:60",
      "2026-01-01T00:00:00ZZ", "2026-01-01Z", " 2026-01-01", "2026-01-01 ", "-2026-01-01",
      "+2026-01-01", "12026-01-01", "٢٠٢٦-01-01", "2026-01-01T00:00:00.1234567890Z",
      "1790000000", "2026/01/01", "2026-W01-1", "2026-001",
    ])
  func `every other text is refused, no zone is guessed`(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_790_000_000_007, "2026-09-21T14:13:20.007Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
      (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
      (Int64.max, "292278994-08-17T07:12:55.807Z"), (Int64.min, "-292275055-05-16T16:47:04.192Z"),
    ] as [(Int64, String)])
  func `every instant can be written`(milliseconds: Int64, text: String) {
    #expect(Instant(milliseconds: milliseconds).description == text)
  }

  @Test func `what is written is read back`() {
    let random = seededRandom(3)
    let first: Int64 = -62_167_219_200_000
    let last: Int64 = 253_402_300_799_999
    let drawn = (0..<5_000).map { _ in
      first + Int64(random.next() % UInt64(last - first + 1))
    }
    for milliseconds in [first, last, 0, -1, 86_399_999, 86_400_000] + drawn {
      let instant = Instant(milliseconds: milliseconds)
      #expect(Instant(iso8601: instant.description) == instant)
    }
  }

  @Test func `every day from 1896 to 2104 follows the day before`() {
    var days = 0
    var expected = Instant(iso8601: "1896-01-01")?.milliseconds ?? 0
    for year in 1896...2104 {
      let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
      for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        .enumerated()
      {
        for day in 1...length {
          let text = "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day < 10 ? "0" : "")\(day)"
          #expect(Instant(iso8601: text)?.milliseconds == expected, "\(text)")
          expected += 86_400_000
          days += 1
        }
      }
    }
    #expect(days == 209 * 365 + 51)
  }

  @Test func `sums stop at the ends instead of wrapping`() {
    let last = Instant(milliseconds: .max)
    let first = Instant(milliseconds: .min)
    #expect(last + .milliseconds(1) == last && first - .milliseconds(1) == first)
    #expect(Instant(milliseconds: 5) + .seconds(-1) == Instant(milliseconds: -995))
    #expect(Instant(milliseconds: 5) + .microseconds(1_999) == Instant(milliseconds: 6))
    #expect(last.since(first) == .milliseconds(Int64.max))
    #expect(first.since(last) == .milliseconds(Int64.min))
    #expect(Instant(milliseconds: 7).since(Instant(milliseconds: 10)) == .milliseconds(-3))
    #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
  }
}
