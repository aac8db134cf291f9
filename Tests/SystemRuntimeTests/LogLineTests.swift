import KitEnvironment
import PaymentModels
@testable import SystemRuntime
import Testing

@Suite("Log lines")
struct LogLineTests {
  static let instant = Instant(milliseconds: 1_790_000_000_000)

  static func line(_ facts: [(String, String)], message: String = "order paid") -> String {
    String(decoding: logLine(at: instant, .info, message, facts), as: UTF8.self)
  }

  @Test func `a line is time, level, message and facts`() {
    #expect(
      Self.line([("order", "ord_1"), ("amount", "10.00")])
        == "2026-09-21T14:13:20Z info order paid order=ord_1 amount=10.00\n")
  }

  static let rows: [(value: String, written: String)] = [
    ("plain/value:1", "plain/value:1"),
    ("", #""""#),
    ("two words", #""two words""#),
    (#"say "hi""#, #""say \"hi\"""#),
    ("a=b", #""a=b""#),
    (#"back\slash"#, #""back\\slash""#),
    ("x\n2026-09-21T14:13:20Z info order paid", #""x\n2026-09-21T14:13:20Z info order paid""#),
    ("x\r\ny", #""x\r\ny""#),
    ("tab\there", #""tab\there""#),
    ("\u{0}\u{1B}[31m", #""\u{0}\u{1b}[31m""#),
    ("\u{2028}\u{2029}\u{85}", #""\u{2028}\u{2029}\u{85}""#),
    ("\u{202E}abc", #""\u{202e}abc""#),
    ("Café ❤", #""Café ❤""#),
  ]

  @Test(arguments: rows)
  func `no value can forge a fact or a line`(row: (value: String, written: String)) {
    #expect(
      Self.line([("v", row.value)]) == "2026-09-21T14:13:20Z info order paid v=\(row.written)\n")
  }

  @Test func `a name of a fact is held to the same rule`() {
    #expect(Self.line([("a\nb", "1")]).hasSuffix(#" "a\nb"=1"# + "\n"))
  }

  @Test(arguments: [4_094, 4_095, 4_096, 10_000])
  func `a long line is cut at 4096 bytes and stays UTF-8`(length: Int) {
    let head = Self.line([("v", "")]).utf8.count - 3
    let bytes = logLine(
      at: Self.instant, .info, "order paid", [("v", String(repeating: "a", count: length - head))])
    #expect(bytes.count == min(length + 1, 4_096))
    #expect(bytes.last == 0x0A && bytes.count { $0 == 0x0A } == 1)
    let wide = logLine(
      at: Self.instant, .info, "order paid", [("v", String(repeating: "é", count: length))])
    #expect(wide.count <= 4_096)
    #expect(String(validating: wide, as: UTF8.self)?.hasSuffix("...\n") == true)
  }
}
