import HTTPExchange
import MerchantAPI
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@Suite("till outbox, till provider and till buyer")
struct OperatorCommandTests {
  private static let message = """
    {"message_id":"\(someID)","order_id":"\(someID)","sequence":1,"kind":"fulfil",\
    "payment_id":null,"amount":"340.00","currency":"AED","created_at":"2026-09-21T15:33:20Z",\
    "state":"dead","tries":400,"next_try_at":null,"delivered_at":null
    """

  @Test(arguments: [
    ("outbox list", "?limit=20"), ("outbox list --dead --limit 5", "?limit=5&state=dead"),
    ("outbox list --waiting --before \(someID)", "?limit=20&state=waiting&before=\(someID)"),
  ])
  func `outbox list asks for a page`(line: String, query: String) async {
    let ran = await Till().run(
      line, status: 200, "{\"messages\":[\(Self.message)}],\"next_before\":null}")
    #expect(ran.sent.map(\.url) == ["http://shop.test/v1/messages\(query)"])
    #expect(
      ran.output == """
        MESSAGE                               ORDER                                 NUMBER  \
        KIND    STATE
        \(someID)  \(someID)  1       fulfil  dead  (400 tries)

        """)
  }

  @Test func `outbox show tells what it waits for`() async {
    let ran = await Till().run(
      "outbox show \(someID)", status: 200, Self.message + ",\"waits_for\":\"m-0\"}")
    #expect(
      ran.output == """
        message    \(someID)
        state      dead  (400 tries)
        order      \(someID)  number 1
        kind       fulfil
        amount     340.00 AED
        created    2026-09-21T15:33:20Z
        waits for  m-0

        """)
  }

  @Test func `one try is one try`() async {
    let ran = await Till().run(
      "outbox show \(someID)", status: 200,
      Self.message.replacing("\"tries\":400", with: "\"tries\":1") + "}")
    #expect(ran.output.contains("\nstate    dead  (1 try)\n"))
  }

  @Test func `outbox redeliver sends the reason`() async throws {
    let ran = await Till().run(
      "outbox redeliver \(someID) --reason back", status: 200, Self.message + "}")
    let sent = try #require(ran.sent.first)
    #expect(sent.method == "POST")
    #expect(sent.url == "http://shop.test/v1/messages/\(someID)/redeliver")
    #expect(try JSONValue(parsing: sent.body)["reason"]?.text == "back")
    #expect(await Till().run("outbox list --dead --waiting", status: 200).code == 64)
  }

  @Test(arguments: [
    ("provider pause tabby --reason down", "pause", nil),
    ("provider resume tabby --account uae --reason up", "resume", "uae"),
  ])
  func `a pause names provider, account and reason`(
    line: String, step: String, account: String?
  ) async throws {
    let ran = await Till().run(
      line, status: 200,
      """
      {"providers":[{"provider":"tabby","account":"uae","paused":true,"pause_of":"all",\
      "paused_at":"2026-09-21T15:33:20Z","paused_by":"anna","reason":"down"},\
      {"provider":"futa","account":"main","paused":false,"pause_of":null,"paused_at":null,\
      "paused_by":null,"reason":null}]}
      """)
    let sent = try #require(ran.sent.first)
    #expect(sent.url == "http://shop.test/v1/providers/tabby/\(step)")
    let body = try PauseBody(json: JSONValue(parsing: sent.body))
    #expect(body.account?.rawValue == account)
    #expect(
      ran.output == """
        PROVIDER  ACCOUNT  NEW CHECKOUTS
        tabby     uae      paused since 2026-09-21T15:33:20Z by anna: down
        futa      main     open

        """)
  }

  @Test(arguments: [(0, true, Int32(0)), (2, true, 75), (0, false, 75)])
  func `buyer erase says what is gone, and ends with 75 while something is not`(
    waiting: Int, isGone: Bool, code: Int32
  ) async throws {
    let ran = await Till().run(
      "buyer erase u-1 --reason asked", status: 200,
      """
      {"subject":"u-1","orders":3,"erased":{"webhook_bodies":4,"requests":0,"pages":2},\
      "waiting":\(waiting),"gone_from_disk":\(isGone),"kept":["ids","sums"]}
      """)
    #expect(ran.code == code)
    #expect(
      ran.output == """
        subject  u-1
        orders   3
        erased   4 webhook bodies, 0 requests, 2 pages
        waiting  \(waiting)
        kept     ids
        kept     sums

        """)
    let body = try EraseBody(json: JSONValue(parsing: try #require(ran.sent.first).body))
    #expect(body.subject == Subject("u-1"))
  }
}
