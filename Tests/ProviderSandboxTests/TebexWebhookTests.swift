import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON
import TestSupport
import Testing

/// A merchant's endpoint that answers the handshake, or not, and hands over what arrives.
private struct Endpoint {
  let transport: ClosureTransport
  private let arrivals: AsyncStream<HTTPOutgoing>

  init(_ answer: @escaping @Sendable (HTTPOutgoing) -> HTTPResponse = Self.right) {
    let (stream, continuation) = AsyncStream<HTTPOutgoing>.makeStream()
    arrivals = stream
    transport = ClosureTransport { request in
      continuation.yield(request)
      return answer(request)
    }
  }

  static func right(_ request: HTTPOutgoing) -> HTTPResponse {
    let id = (try? JSONValue(parsing: request.body))?["id"] ?? .null
    return HTTPResponse(status: 200, body: JSONValue.object(["id": id]).serialized())
  }

  func next(_ count: Int) async -> [HTTPOutgoing] {
    var requests: [HTTPOutgoing] = []
    for await request in arrivals {
      requests.append(request)
      if requests.count == count { break }
    }
    return requests
  }
}

@Suite("The fake Tebex' webhooks")
struct TebexWebhookTests {
  private func harness(
    _ endpoint: Endpoint, _ change: (inout TebexSandboxSettings) -> Void = { _ in }
  ) -> TebexHarness {
    TebexHarness(transport: endpoint.transport) {
      $0.webhookURL = "http://shop.test/webhooks/tebex"
      $0.webhookSecret = "hook-secret"
      change(&$0)
    }
  }

  /// Runs the sandbox, acts and gives the next `count` deliveries.
  private func sent(
    _ count: Int, _ endpoint: Endpoint, _ harness: TebexHarness, _ act: () async -> Void
  ) async -> [HTTPOutgoing] {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await harness.sandbox.run() }
      await act()
      let requests = await endpoint.next(count)
      group.cancelAll()
      return requests
    }
  }

  private func types(_ requests: [HTTPOutgoing]) -> [String] {
    requests.compactMap { (try? JSONValue(parsing: $0.body))?["type"]?.text }
  }

  @Test func `the endpoint is asked first, and what happened meanwhile comes after`() async throws {
    let endpoint = Endpoint()
    let harness = harness(endpoint)
    let ident = await harness.created()
    await harness.paid(ident)
    let requests = await sent(2, endpoint, harness) {}
    #expect(types(requests) == ["validation.webhook", "payment.completed"])
    let event = try JSONValue(parsing: try #require(requests.last).body)
    #expect(event.find("subject.transaction_id")?.text == (await harness.transactionID(ident)))
    #expect(event.find("subject.status.id")?.int64 == 1)
    #expect(event.find("subject.custom.order_id") == "o1")
    #expect(event.find("subject.ident") == nil)
    #expect(event["date"]?.text?.hasSuffix("+00:00") == true)
  }

  @Test func `it is signed over the digest of bytes that nobody writes the same again`()
    async throws
  {
    let endpoint = Endpoint()
    let harness = harness(endpoint)
    let ident = await harness.created(
      TebexHarness.request.replacing(#""o1""#, with: #""caf\u00e9 😀/1""#))
    let requests = await sent(2, endpoint, harness) { await harness.paid(ident) }
    let request = try #require(requests.last)
    let text = String(decoding: request.body, as: UTF8.self)
    #expect(text.contains(#""order_id":"caf\u00e9 \ud83d\ude00\/1""#))
    #expect(!text.contains(" :") && !text.contains(": "))
    #expect(request.body.allSatisfy { $0 < 0x80 })
    let digest = Array(hexText(Hashing.weakForTests.sha256(request.body)).utf8)
    #expect(
      request.headers["X-Signature"]
        == hexText(Hashing.weakForTests.hmacSHA256(Array("hook-secret".utf8), digest)))
  }

  @Test(arguments: [
    HTTPResponse(status: 200), HTTPResponse(status: 200, body: Array(#"{"id":"other"}"#.utf8)),
    HTTPResponse(status: 200, body: Array("ok".utf8)), HTTPResponse(status: 404),
  ])
  func `an endpoint that answers wrong is sent nothing else`(answer: HTTPResponse) async {
    let endpoint = Endpoint { _ in answer }
    let harness = harness(endpoint) { $0.webhookRetryMs = [] }
    let ident = await harness.created()
    await harness.paid(ident)
    let requests = await sent(1, endpoint, harness) {
      _ = await endpoint.next(1)
      while await harness.control("settings").json["webhook_handshake"] != "failed" {
        await Task.yield()
      }
      // The panel's button.
      await harness.control("settings", #"{"webhook_handshake":"none"}"#)
    }
    #expect(types(requests).allSatisfy { $0 == "validation.webhook" })
    let states = (await harness.entry(ident)["webhooks"]?.elements ?? []).map { $0["state"] }
    #expect(states == ["dropped"])
  }

  @Test func `each step of a payment has its event`() async {
    let endpoint = Endpoint()
    let harness = harness(endpoint)
    let requests = await sent(7, endpoint, harness) {
      let (first, second) = (await harness.created(), await harness.created())
      await harness.paid(first, by: "declined")
      await harness.paid(first)
      await harness.move(first, "refunded")
      await harness.paid(second, by: "card")
      for step in ["dispute_opened", "dispute_won"] { await harness.move(second, step) }
    }
    #expect(
      types(requests).sorted() == [
        "payment.completed", "payment.completed", "payment.declined", "payment.dispute.opened",
        "payment.dispute.won", "payment.refunded",
        "validation.webhook",
      ])
  }
}
