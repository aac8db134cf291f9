import CommandLineParser
import PaymentModels
import TestSupport
import Testing

@testable import MerchantCommands

@Suite("What command lines of till ask for")
struct ParsingTests {
  private static let requests: [(String, TillAction.Request)] = [
    (
      "checkout create --item tee",
      .createCheckout(provider: usualProvider, items: [item("tee", 1)], order: nil, key: nil)
    ),
    (
      "checkout create --item tee:2 --item mug --provider futa --key k-1",
      .createCheckout(
        provider: "futa", items: [item("tee", 2), item("mug", 1)], order: nil, key: "k-1")
    ),
    (
      "checkout create --order \(someID)",
      .createCheckout(provider: usualProvider, items: [], order: someID, key: nil)
    ),
    ("order show \(someID)", .showOrder(someID)),
    ("order explain \(someID)", .explainOrder(someID)),
    ("order cancel \(someID) --reason sold-out", .cancelOrder(someID, reason: "sold-out")),
    ("payment show \(someID)", .showPayment(someID)),
    ("payment list", .listPayments(limit: 20, before: nil)),
    ("payment list --limit 1 --before \(someID)", .listPayments(limit: 1, before: someID)),
    ("payment watch \(someID)", .watchPayment(someID, seconds: 1_800)),
    ("payment watch \(someID) --for 86400", .watchPayment(someID, seconds: 86_400)),
    ("review list", .listReviews(limit: 20, after: 0)),
    ("review list --limit 100 --after 7", .listReviews(limit: 100, after: 7)),
    ("review show 7", .showReview(7)),
    (
      "review resolve 7 --decision dismiss --reason seen --key k",
      .resolveReview(7, .dismiss, reason: "seen", key: "k")
    ),
    (
      "payment capture \(someID) --reason sent",
      .operate(.capture, payment: someID, amount: nil, reason: "sent", key: nil)
    ),
    (
      "payment capture \(someID) --amount 0.50 --reason part --key k",
      .operate(.capture, payment: someID, amount: "0.50", reason: "part", key: "k")
    ),
    (
      "payment refund \(someID) --amount=19.99 --reason=broken",
      .operate(.refund, payment: someID, amount: "19.99", reason: "broken", key: nil)
    ),
    (
      "payment close \(someID) --reason sold-out",
      .operate(.close, payment: someID, amount: nil, reason: "sold-out", key: nil)
    ),
  ]

  @Test(arguments: requests)
  func `every request is read, plain and with --json`(line: String, request: TillAction.Request) {
    #expect(action(line) == .ask(request, asJSON: false))
    #expect(action(line + " --json") == .ask(request, asJSON: true))
  }

  @Test(
    arguments: [
      ("sandbox", TillAction.sandbox(SandboxOptions(port: 4_010, isStrict: false))),
      ("sandbox --port 0 --strict", .sandbox(SandboxOptions(port: 0, isStrict: true))),
      ("sandbox --port 65535", .sandbox(SandboxOptions(port: 65_535, isStrict: false))),
      ("run", .run), ("providers", .providers(.table)), ("providers --json", .providers(.json)),
      (
        "endpoint list --config s.json",
        .endpoint(
          EndpointCommand(.list, provider: usualProvider), settings: "s.json", asJSON: false)
      ),
      (
        "endpoint register https://a.b/w --config s.json --provider futa --account x --json",
        .endpoint(
          EndpointCommand(.register(url: "https://a.b/w"), provider: "futa", account: "x"),
          settings: "s.json", asJSON: true)
      ),
      (
        "endpoint remove w-1 --config s.json",
        .endpoint(
          EndpointCommand(.remove(id: "w-1"), provider: usualProvider), settings: "s.json",
          asJSON: false)
      ),
    ])
  func `what runs on this machine is read`(line: String, wanted: TillAction) {
    #expect(action(line) == wanted)
  }

  @Test(
    arguments: [
      ("", "till needs a command"),
      ("payment", "till payment needs a command"),
      ("paymen show", "till has no command 'paymen'"),
      ("payment sho \(someID)", "till payment has no command 'sho'"),
      ("payment show", "missing ID"),
      ("payment show \(someID) \(someID)", "unexpected argument '\(someID)'"),
      ("payment show ../\(someID)", "ID: '../\(someID)' is not an id: a UUID in lower case"),
      (
        "payment show \(someID.uppercased())",
        "ID: '\(someID.uppercased())' is not an id: a UUID in lower case"
      ),
      ("order show 1", "ID: '1' is not an id: a UUID in lower case"),
      ("payment list --limit 0", "--limit: '0' is not a whole number from 1 to 100"),
      ("payment list --limit 101", "--limit: '101' is not a whole number from 1 to 100"),
      ("payment list --before x", "--before: 'x' is not an id: a UUID in lower case"),
      ("payment watch \(someID) --for 0", "--for: '0' is not a whole number from 1 to 86400"),
      (
        "payment watch \(someID) --for 86401",
        "--for: '86401' is not a whole number from 1 to 86400"
      ),
      ("payment close \(someID) --amount 1", "unknown option '--amount'"),
      ("payment capture \(someID)", "missing --reason TEXT"),
      ("payment refund \(someID) --amount 1", "missing --reason TEXT"),
      ("payment close \(someID)", "missing --reason TEXT"),
      ("order cancel \(someID)", "missing --reason TEXT"),
      ("review resolve 7 --reason r", "missing --decision DECISION"),
      ("review resolve 7 --decision keep", "missing --reason TEXT"),
      (
        "review resolve 7 --decision burn --reason r",
        "--decision: 'burn' is none of accept, refund, keep, dismiss"
      ),
      (
        "order cancel \(someID) --reason=",
        "--reason: '' is not a reason: one line of 1 to 255 bytes"
      ),
      (
        "checkout create",
        "name what to buy: --item, or --order for another try at an order"
      ),
      (
        "checkout create --item tee --order \(someID)",
        "--item makes a new order, --order tries one again: name one of them"
      ),
      ("sandbox --port 65536", "--port: '65536' is not a whole number from 0 to 65535"),
      ("sandbox --port -1", "--port: '-1' is not a whole number from 0 to 65535"),
      ("sandbox --json", "unknown option '--json'"),
      ("run now", "unexpected argument 'now'"),
      ("endpoint list", "missing --config FILE"),
      ("endpoint register --config s.json", "missing URL"),
    ])
  func `what cannot be read is refused with one sentence`(line: String, message: String) {
    #expect(refusal(line)?.message == message)
    #expect(refusal(line)?.usage?.hasPrefix("till") == true)
  }

  @Test(arguments: ["tee:0", "tee:-1", "tee:+1", "tee:", ":2", "tee:1:2", "tee:1.5", "tee:x"])
  func `an item is a product, or a product and a positive whole number`(item: String) {
    #expect(
      refusal("checkout create --item \(item)")?.message
        == "--item: '\(item)' is not PRODUCT or PRODUCT:QUANTITY")
  }

  @Test(
    arguments: [
      "1.2.3", ".5", "5.", ".", "1.00.", "00", "00.50",
    ])
  func `an amount is a plain decimal`(amount: String) {
    #expect(
      refusal("payment refund \(someID) --amount=\(amount)")?.message
        == "--amount: '\(amount)' is not a plain decimal amount such as 19.99")
  }

  @Test func `a key is one to 64 visible characters`() {
    let line = "payment refund \(someID) --reason r --key="
    #expect(refusal(line + String(repeating: "k", count: 64)) == nil)
    #expect(refusal(line + String(repeating: "k", count: 65)) != nil)
    #expect(refusal(line) != nil)
    #expect(refusal(line + "a\u{0D}\u{0A}X-Other:1") != nil)
    #expect(refusal(line + "clé") != nil)
  }
}

@Suite("FB-10 Decimal to minor units through a binary float, on the command line")
struct AmountOptionTests {
  @Test(arguments: exactAmountRows, [.capture, .refund] as [TillAction.Operation])
  func `an amount is handed on as the text that it is`(
    row: (decimal: String, minorUnits: String), operation: TillAction.Operation
  ) {
    let line = "payment \(operation.rawValue) \(someID) --amount \(row.decimal) --reason r"
    let wanted = TillAction.Request.operate(
      operation, payment: someID, amount: row.decimal, reason: "r", key: nil)
    #expect(action(line) == .ask(wanted, asJSON: false))
  }

  @Test(arguments: FieldBugRows.refusedAmounts)
  func `another form of a number is refused before anything is sent`(text: String) {
    let words = ["payment", "refund", someID, "--reason", "r", "--amount=\(text)"]
    guard case .refused(let error) = tillCommand.parse(words) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(
      error.message == "--amount: '\(text)' is not a plain decimal amount such as 19.99")
  }
}

private func item(_ product: String, _ quantity: Int64) -> TillAction.Item {
  TillAction.Item(product: product, quantity: quantity)
}

private func action(_ line: String) -> TillAction? {
  if case .run(let action) = parse(line) { action } else { nil }
}

private func refusal(_ line: String) -> UsageError? {
  if case .refused(let error) = parse(line) { error } else { nil }
}

private func parse(_ line: String) -> CommandOutcome<TillAction> {
  tillCommand.parse(line.split(separator: " ").map(String.init))
}
