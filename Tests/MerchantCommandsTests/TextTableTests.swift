import Testing

@testable import MerchantCommands

@Suite("Tables fit the terminal")
struct TextTableTests {
  private static let payments = TextTable(
    heading: ["PAYMENT", "PROVIDER", "ATTEMPT", "AMOUNT", "ORDER", "STATE"],
    rows: [
      [someID, "tabby", "1", "340.00 AED", "open", "authorized"],
      [someID, "seb", "2", "19.99 EUR", "paid", "\u{1B}[32mcaptured\u{1B}[0m"],
    ])

  private static let case7 = TextTable(rows: [
    ["case", "7"], ["order", someID],
    ["detail", "the provider says that more was captured than this order asked for"],
  ])

  private static func width(_ line: String) -> Int {
    line.replacing("\u{1B}[32m", with: "").replacing("\u{1B}[0m", with: "").count
  }

  @Test(arguments: [nil, 200]) func `what fits is not touched`(columnsMax: Int?) {
    #expect(
      Self.payments.lines(columnsMax: columnsMax) == [
        "PAYMENT                               PROVIDER  ATTEMPT  AMOUNT      ORDER  STATE",
        "\(someID)  tabby     1        340.00 AED  open   authorized",
        "\(someID)  seb       2        19.99 EUR   paid   \u{1B}[32mcaptured\u{1B}[0m",
      ])
  }

  @Test func `headings are cut before anything else, and no cell is`() {
    #expect(
      Self.payments.lines(columnsMax: 80) == [
        "PAYMENT                               PROV…  ATT…  AMOUNT      ORDER  STATE",
        "\(someID)  tabby  1     340.00 AED  open   authorized",
        "\(someID)  seb    2     19.99 EUR   paid   \u{1B}[32mcaptured\u{1B}[0m",
      ])
  }

  @Test func `rows that fit in no way are written one below the other`() {
    #expect(
      Self.payments.lines(columnsMax: 60) == [
        "PAYMENT   \(someID)", "PROVIDER  tabby", "ATTEMPT   1", "AMOUNT    340.00 AED",
        "ORDER     open", "STATE     authorized", "",
        "PAYMENT   \(someID)", "PROVIDER  seb", "ATTEMPT   2", "AMOUNT    19.99 EUR",
        "ORDER     paid", "STATE     \u{1B}[32mcaptured\u{1B}[0m",
      ])
  }

  @Test func `a long text goes on below itself`() {
    #expect(
      Self.case7.lines(columnsMax: 60) == [
        "case    7", "order   \(someID)",
        "detail  the provider says that more was captured than this",
        "        order asked for",
      ])
  }

  @Test(arguments: 1...100) func `no word is lost or cut at any width`(columnsMax: Int) {
    for table in [Self.payments, Self.case7] {
      let words = { (lines: [String]) in lines.flatMap { $0.split(separator: " ") }.sorted() }
      let lines = table.lines(columnsMax: columnsMax)
      for word in table.rows.flatMap({ $0.flatMap { $0.split(separator: " ") } }) {
        #expect(words(lines).contains(word))
      }
      #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
      // The longest word and what stands before it fit from here on.
      if columnsMax >= 46 { #expect(lines.allSatisfy { Self.width($0) <= columnsMax }) }
    }
  }

  @Test func `a table is as wide as the terminal, and what is no terminal has no width`() {
    let columns = { (isTerminal: Bool, text: String?, measured: Int?) in
      Terminal.columnsMax(
        ofTerminal: isTerminal, variables: text.map { ["COLUMNS": $0] } ?? [:],
        measured: measured)
    }
    #expect(columns(true, nil, 80) == 80)
    #expect(columns(true, "60", 80) == 60)
    #expect(columns(true, "", 80) == 80)
    #expect(columns(true, "0", 80) == 80)
    #expect(columns(true, "-5", nil) == nil)
    #expect(columns(false, "60", 80) == nil)
  }
}
