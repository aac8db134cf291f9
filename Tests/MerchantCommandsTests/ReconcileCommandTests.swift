import HTTPExchange
import MerchantCommands
import StrictJSON
import SystemRuntime
import TestSupport
import Testing

@Suite("till reconcile")
struct ReconcileCommandTests {
  private static let limits =
    #"[{"provider":"rais","account":"main","cannot_find":["no read shows refunds"]}]"#

  private static let missing = finding("missing", settled: false)

  private static func finding(_ kind: String, settled: Bool) -> String {
    """
    {"kind":"\(kind)","provider":"tabby","account":"uae","payment_id":"\(someID)",\
    "provider_payment_id":"p-1","booked":"created","told":"captured","amount":"150.00",\
    "currency":"AED","settled_by":"read","settled":\(settled)}
    """
  }

  private static let notRead =
    #"{"provider":"tabby","account":"uae","payment_id":null,"reason":"its list: unknown: out"}"#

  private static func page(
    _ findings: String = "", notRead: String = "", cannotFind: String = "[]", next: String? = nil
  ) -> String {
    """
    {"payments":4,"examined":2,"totals":[{"provider":"tabby","account":"uae","currency":"AED",\
    "exponent":2,"compared":2,"captured":{"booked_minor_units":0,"told_minor_units":15000},\
    "gone_back":{"booked_minor_units":0,"told_minor_units":0}}],"differences":[\(findings)],\
    "not_read":[\(notRead)],"learned":[{"provider":"tabby","account":"uae",\
    "outcome":"captured","channel":"webhook","late_ms":3500}],"cannot_find":\(cannotFind),\
    "next_cursor":\(next.map { "\"\($0)\"" } ?? "null")}
    """
  }

  /// Answers with one page after the other.
  private func transport(_ pages: String...) -> ClosureTransport {
    let left = Locked(pages)
    return ClosureTransport { _ in
      let page = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      return HTTPResponse(status: 200, body: Array(page.utf8))
    }
  }

  @Test func `it shows differences, sums, delays and what cannot be found`() async {
    let ran = await Till().run(
      "reconcile --since 25h",
      transport(
        Self.page(Self.missing, cannotFind: Self.limits, next: "book:1"), Self.page()))
    #expect(ran.code == 1)
    #expect(ran.errors == ["error: the books differ: 1 difference left"])
    #expect(
      ran.output == """
        DIFFERENCE  PROVIDER   PAYMENT                               AMOUNT      BOOK     \
        PROVIDER SAYS  SETTLED BY
        missing     tabby uae  0190f0a0-0000-7000-8000-000000000001  150.00 AED  created  \
        captured       read

        PROVIDER  ACCOUNT  MONEY  READ  CAPTURED  AT PROVIDER  GONE BACK  AT PROVIDER
        tabby     uae      AED    4     0.00      300.00 !     0.00       0.00

        PROVIDER  ACCOUNT  LEARNED   BY       COUNT  MEAN DELAY  LONGEST
        tabby     uae      captured  webhook  2      3 s         3 s

        rais main: no read shows refunds
        4 of 4 payments read, 1 difference (missing 1), 0 not read; nothing was changed

        """)
    let bodies = ran.sent.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(
      bodies == [
        #"{"since_seconds":90000,"apply":false,"cursor":null}"#,
        #"{"since_seconds":90000,"apply":false,"cursor":"book:1"}"#,
      ])
  }

  @Test(arguments: [
    ("", "", 0), (finding("missing", settled: false), "", 1),
    (finding("missing", settled: true), "", 0), ("", notRead, 75),
    (finding("amount", settled: false), notRead, 75),
  ])
  func `its exit code tells a cron job what to do`(
    _ findings: String, _ notRead: String, _ code: Int
  ) async {
    let ran = await Till().run(
      "reconcile --apply", transport(Self.page(findings, notRead: notRead)))
    #expect(ran.code == Int32(code))
    #expect(ran.errors.isEmpty == (code == 0))
  }

  @Test func `with json each page is a line, and the last is a summary`() async throws {
    let ran = await Till().run(
      "reconcile --json", transport(Self.page(Self.missing, next: "book:1"), Self.page()))
    let lines = ran.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    let summary = try JSONValue(parsing: Array(lines[2].utf8))
    #expect(summary["differences"]?.int64 == 1)
    #expect(summary["kinds"]?["missing"]?.int64 == 1)
  }

  @Test func `on a terminal a bar is redrawn and leaves nothing behind`() async {
    let ran = await Till(isInteractive: true).run(
      "reconcile", transport(Self.page(next: "book:1"), Self.page()))
    #expect(
      ran.output.hasPrefix(
        "\r\u{1B}[K[############------------] 2 of 4 payments, 2 read, 0 differences, 0 not read"))
    #expect(ran.output.contains("4 of 4 payments, 4 read"))
    #expect(ran.output.contains("\r\u{1B}[KPROVIDER"))
  }

  @Test func `a server that gives one page for ever is left`() async {
    let ran = await Till().run("reconcile", transport(Self.page(next: "book:1")))
    #expect(ran.code == 69)
    #expect(ran.sent.count == 2)
  }

  @Test(arguments: [("90m", 5_400), ("7d", 604_800), ("366d", 31_622_400)])
  func `a span is read`(_ text: String, _ seconds: Int) async {
    let ran = await Till().run("reconcile --since \(text)", transport(Self.page()))
    let sent = String(decoding: ran.sent.first?.body ?? [], as: UTF8.self)
    #expect(sent.contains(#""since_seconds":\#(seconds),"#))
  }

  @Test(arguments: ["24", "h", "0h", "-1h", "+1h", "367d", "1w", "1.5h"])
  func `what is no span is refused`(_ text: String) async {
    #expect(await Till().run("reconcile --since \(text)", transport("")).code == 64)
  }
}
