import HTTPExchange
import MerchantCommands
import TestSupport
import Testing

@Suite("till review")
struct ReviewCommandTests {
  private static func review(_ number: Int, age: Int, resolved: Bool = false) -> String {
    """
    {"review":\(number),"kind":"late_money","order_id":"\(someID)","order_state":"needs_review",
    "payment_id":"\(someID)","detail":"100.00 AED captured","opened_at":"2026-09-21T15:33:20Z",
    "age_seconds":\(age),"resolved_at":\(resolved ? "\"2026-09-21T16:00:00Z\"" : "null"),
    "decision":\(resolved ? "\"refund\"" : "null"),
    "decided_by":\(resolved ? "\"anna\"" : "null"),
    "decision_reason":\(resolved ? "\"came late\"" : "null"),
    "decisions":\(resolved ? "[]" : "[\"accept\",\"refund\",\"keep\"]")}
    """
  }

  @Test func `list is a table, oldest first as the server has it, and says how it goes on`() async {
    let ran = await Till().run(
      "review list --limit 2 --after 7", status: 200,
      "{\"reviews\":[\(Self.review(8, age: 300_000)),\(Self.review(12, age: 90))],"
        + "\"next_after\":12}")
    #expect(
      ran.output == """
        CASE  AGE    KIND        ORDER                                 STATE         DETAIL
        8     3 d    late_money  \(someID)  needs_review  100.00 AED captured
        12    1 min  late_money  \(someID)  needs_review  100.00 AED captured
        more: till review list --after 12

        """)
    #expect(ran.sent.map(\.url) == ["http://shop.test/v1/reviews?limit=2&after=7"])
  }

  @Test func `an empty queue says so`() async {
    let ran = await Till().run("review list", status: 200, "{\"reviews\":[],\"next_after\":null}")
    #expect(ran.output == "no open cases\n")
  }

  @Test func `show says what may be done next`() async {
    let ran = await Till().run("review show 8", status: 200, Self.review(8, age: 7_300))
    #expect(
      ran.output == """
        case     8
        kind     late_money
        order    \(someID)  needs_review
        payment  \(someID)
        detail   100.00 AED captured
        opened   2026-09-21T15:33:20Z, 2 h ago
        next     till review resolve 8 --decision accept|refund|keep --reason …

        """)
  }

  @Test func `resolve sends decision, reason and key, and shows who decided`() async {
    let ran = await Till().run(
      "review resolve 8 --decision refund --reason late --key k-1", status: 200,
      Self.review(8, age: 60, resolved: true))
    #expect(ran.code == 0)
    #expect(ran.sent.map(\.url) == ["http://shop.test/v1/reviews/8/resolve"])
    #expect(ran.sent.first?.headers["Idempotency-Key"] == "k-1")
    #expect(
      ran.sent.map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"decision":"refund","reason":"late"}"#
      ])
    #expect(ran.output.contains("decided  refund by anna: came late\n"))
    #expect(ran.output.contains("closed   2026-09-21T16:00:00Z\n"))
  }

  @Test func `whoever comes second is told`() async {
    let ran = await Till().run(
      "review resolve 8 --decision refund --reason late", status: 409,
      problem("conflict", "It was decided already: accept, by ben."))
    #expect(ran.code == 1)
    #expect(ran.errors == ["error: It was decided already: accept, by ben."])
  }
}
