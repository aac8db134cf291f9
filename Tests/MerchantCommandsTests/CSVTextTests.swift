import Testing

@testable import MerchantCommands

@Suite("Rows of a table")
struct CSVTextTests {
  @Test(arguments: ["=SUM(A1)", "=\u{301}1", "+1", "-1", "@x", "\tx", "\r\n=x", "\n=x"])
  func `no text is a formula, whatever stands behind its first sign`(text: String) {
    let row = Array(CSVText.row([.text(text)]).utf8)
    let start = row.first == UInt8(ascii: "\"") ? 1 : 0
    #expect(row[start] == UInt8(ascii: "'"))
  }

  @Test(arguments: [
    ("a\"b", "\"a\"\"b\"\r\n"), ("a\"\u{301},b", "\"a\"\"\u{301},b\"\r\n"),
    ("\"\"", "\"\"\"\"\"\"\r\n"), ("a,\r\nb", "\"a,\r\nb\"\r\n"), ("plain", "plain\r\n"),
  ])
  func `a quote in a text does not end its cell, also under a combining mark`(
    text: String, row: String
  ) {
    #expect(Array(CSVText.row([.text(text)]).utf8) == Array(row.utf8))
  }
}
