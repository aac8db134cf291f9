import FoundationEssentials
import KitEnvironment
import PaymentModels
import Testing

@testable import SystemRuntime

@Suite("Log lines as JSON")
struct JSONLogLineTests {
  private static let instant = Instant(milliseconds: 1_790_000_000_000)

  private static func line(_ facts: [(String, String)], message: String = "order paid") -> [UInt8] {
    jsonLogLine(at: instant, .warning, message, facts)
  }

  private static func read(_ line: [UInt8]) throws -> [String: String] {
    // `cut` is no text.
    let text = String(decoding: line, as: UTF8.self).replacing(":true}", with: ":\"true\"}")
    return try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
  }

  @Test func `a line is time, level, message and facts`() {
    let line = Self.line([("payment_id", "p-1"), ("amount", "10.00")])
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"time":"2026-09-21T14:13:20Z","level":"warning","message":"order paid","#
        + #""payment_id":"p-1","amount":"10.00"}"# + "\n")
  }

  @Test(arguments: [
    "", "two words", #"say "hi""#, #"back\slash"#, #"","level":"error"#, "x\n{\"time\":1}",
    "x\r\ny", "tab\there", "\u{0}\u{1B}[31m", "\u{2028}\u{2029}\u{85}", "\u{202E}abc", "Café ❤",
    "\u{1F600}", "\u{E0001}tag",
  ])
  func `no value can forge a member or a line`(value: String) throws {
    let line = Self.line([("v", value), ("w", "1")])
    let members = try Self.read(line)
    #expect(members["v"] == value)
    #expect(members["w"] == "1")
    #expect(members.count == 5)
    #expect(line.filter { $0 == 0x0A }.count == 1)
    // What a terminal shows is what stands there.
    let unseen = String(decoding: line.dropLast(), as: UTF8.self).unicodeScalars.filter {
      [.control, .format, .lineSeparator, .paragraphSeparator]
        .contains($0.properties.generalCategory)
    }
    #expect(unseen.isEmpty)
  }

  @Test func `a name is held to the same rule`() throws {
    #expect(try Self.read(Self.line([("a\"b", "1")]))["a\"b"] == "1")
  }

  @Test func `a fact beyond the longest line is left out, and the line says so and stays JSON`()
    throws
  {
    let room = lineBytesMax - Self.line([("v", "")]).count - #","cut":true"#.utf8.count
    let whole = Self.line([("v", String(repeating: "a", count: room)), ("w", "1")])
    #expect(try Self.read(Self.line([("v", String(repeating: "a", count: room))])).count == 4)
    // The second has no room any more.
    #expect(try Self.read(whole)["cut"] == "true")
    #expect(try Self.read(whole)["w"] == nil)
    let over = Self.line([("v", String(repeating: "a", count: room + 1)), ("w", "1")])
    #expect(try Self.read(over)["v"] == nil)
    #expect(try Self.read(over)["w"] == "1")
    #expect(try Self.read(over)["cut"] == "true")
    for line in [whole, over] { #expect(line.count <= lineBytesMax) }
  }
}
