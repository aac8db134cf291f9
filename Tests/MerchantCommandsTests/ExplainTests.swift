import HTTPExchange
import MerchantCommands
import SystemRuntime
import TestSupport
import Testing

@Suite("till explain")
struct ExplainTests {
  private static func entry(
    _ sequence: Int, _ channel: String, _ trust: String, _ event: String, change: String? = nil,
    note: String? = nil
  ) -> String {
    """
    {"sequence":\(sequence),"at":"2026-09-21T15:33:2\(sequence % 10)Z","payment_id":"\(someID)",\
    "channel":"\(channel)","trust":"\(trust)","event":"\(event)",\
    "operator":"anna",\
    "change":\(change.map { "\"\($0)\"" } ?? "null"),"note":\(note.map { "\"\($0)\"" } ?? "null")}
    """
  }

  private static let all = [
    entry(1, "device", "hint", "closed"),
    entry(2, "webhook", "notification", "webhook", note: "authorized"),
    entry(3, "webhook", "proof", "read", change: "created → authorized"),
    entry(4, "webhook", "notification", "signed webhook", note: "no proof: it carries no amount"),
    entry(5, "poll", "proof", "read failed", note: "unknown (HTTP 502): bad gateway"),
    entry(6, "read", "proof", "read", note: "the provider's payment does not name this one"),
    entry(7, "call", "proof", "answer", change: "authorized → captured"),
    entry(8, "operator", "hint", "refund", note: "10.00 AED: damaged"),
    entry(9, "reconcile", "proof", "read", change: "captures and refunds"),
    entry(10, "system", "proof", "order", change: "authorized → paid"),
    entry(11, "system", "proof", "message", change: "fulfil delivered"),
    entry(12, "system", "proof", "review", change: "disputed", note: "<script>alert(1)</script>"),
    entry(13, "call", "proof", "create unanswered", note: "unknown (HTTP 502): bad gateway"),
    entry(14, "call", "proof", "create refused", note: "refused (HTTP 400): no such currency"),
    entry(15, "call", "proof", "refund not settled", note: "unknown: timed out"),
    entry(16, "device", "hint", "checkout", note: "attempt 1 at tabby"),
    entry(17, "device", "proof", "read", change: "created → authorized"),
    entry(18, "device", "proof", "read failed", note: "unknown: timed out"),
  ]

  private func run(_ line: String) async -> Ran {
    await Till().run(
      line,
      ClosureTransport { request in
        let body: String
        if !request.url.contains("/journal") {
          body = paymentJSON()
        } else if request.url.hasSuffix("after=0") {
          body = "{\"journal\":[\(Self.all.prefix(4).joined(separator: ","))],\"next_after\":4}"
        } else {
          body =
            "{\"journal\":[\(Self.all.dropFirst(4).joined(separator: ","))],\"next_after\":null}"
        }
        return HTTPResponse(status: 200, body: Array(body.utf8))
      })
  }

  @Test(arguments: ["explain", "payment explain"])
  func `each line is a sentence that says what it changed, or why it was ignored`(
    _ command: String
  ) async {
    let ran = await run("\(command) \(someID)")
    #expect(ran.code == 0)
    let sentences = ran.output.split(separator: "\n").dropFirst(7).map {
      String($0.dropFirst(20 + 2 + 12 + 2))
    }
    #expect(
      sentences == [
        "The app reported “closed”. By itself it changed nothing.",
        "A webhook came: authorized. It causes a read and proves nothing by itself.",
        "A read after a webhook proved: created → authorized.",
        "A signed webhook did not count: no proof: it carries no amount. Nothing was changed.",
        "A scheduled read brought no usable answer: unknown (HTTP 502): bad gateway. "
          + "Nothing was changed; it is tried again.",
        "A read that somebody asked for was ignored: the provider's payment does not name this "
          + "one. Nothing was changed.",
        "The provider's answer to our call proved: authorized → captured.",
        "anna asked for: refund: 10.00 AED: damaged. By itself it changed nothing.",
        "A read to reconcile the books proved: captures and refunds.",
        "The order went authorized → paid.",
        "The merchant's systems were told: fulfil delivered.",
        "A person should look: disputed: <script>alert(1)</script>.",
        "Our call brought no usable answer: unknown (HTTP 502): bad gateway. "
          + "Whether it was done is not known yet.",
        "The provider refused the payment: refused (HTTP 400): no such currency.",
        "Our call brought no usable answer: unknown: timed out. "
          + "Whether it was done is not known yet.",
        "The app asked for a page: attempt 1 at tabby.",
        "A read that the app asked for proved: created → authorized.",
        "A read that the app asked for brought no usable answer: unknown: timed out. "
          + "Nothing was changed; it is tried again.",
      ])
  }

  @Test func `the page escapes what others wrote, and loads nothing`() async {
    let ran = await run("explain \(someID) --html")
    #expect(ran.code == 0)
    #expect(ran.output.hasPrefix("<!doctype html>\n"))
    #expect(ran.output.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(!ran.output.contains("<script"))
    #expect(ran.output.contains("default-src 'none'"))
    for loader in ["src=", "href=", "url(", "@import"] { #expect(!ran.output.contains(loader)) }
    #expect(ran.output.contains(#"<li class="proof change">"#))
  }

  @Test func `with json each page of the journal is a line`() async {
    let ran = await run("payment explain \(someID) --json")
    #expect(ran.output.split(separator: "\n").count == 2)
    #expect(ran.sent.map(\.url).suffix(2).map { String($0.suffix(8)) } == ["?after=0", "?after=4"])
  }

  @Test func `json and html do not go together`() async {
    #expect(await run("explain \(someID) --json --html").code == 64)
  }
}
