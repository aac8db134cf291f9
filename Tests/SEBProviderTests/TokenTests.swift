import HTTPExchange
import PaymentModels
import ProviderInterface
import SEBProvider
import SystemRuntime
import TestSupport
import Testing

@Suite("The access token")
struct TokenTests {
  private func tokenRequests(_ transport: ClosureTransport) -> [HTTPOutgoing] {
    transport.sent.filter(\.isTokenRequest)
  }

  // RFC 6749, sections 2.3.1 and 4.4.2. Basic: `shop-client:client~secret%215d0c1f9a`.
  @Test func `it is fetched by client credentials`() async throws {
    let transport = answering(paymentJSON())
    _ = try await makeProvider(transport).read(paymentID)
    let request = try #require(tokenRequests(transport).first)
    #expect(request.method == "POST")
    #expect(request.url == tokenURL)
    #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(
      request.headers["Authorization"]
        == "Basic c2hvcC1jbGllbnQ6Y2xpZW50fnNlY3JldCUyMTVkMGMxZjlh")
    #expect(String(decoding: request.body, as: UTF8.self) == "grant_type=client_credentials")
    #expect(request.headers["X-Request-Id"] == nil)
    #expect(request.bodyBytesMax == 64 << 10)
  }

  @Test func `how the client is known, the scope and the address are settings`() async throws {
    let transport = answering(paymentJSON())
    _ = try await makeProvider(transport) {
      $0.clientAuthentication = .form
      $0.tokenScope = "payments read"
      $0.tokenURL = "http://localhost:4010/seb/token"
    }.read(paymentID)
    let request = try #require(tokenRequests(transport).first)
    #expect(request.url == "http://localhost:4010/seb/token")
    #expect(request.headers["Authorization"] == nil)
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == "grant_type=client_credentials&scope=payments%20read&client_id=shop-client"
        + "&client_secret=client~secret%215d0c1f9a")
  }

  @Test func `it is kept until half a minute before its end`() async throws {
    let clock = ManualClock(start: now)
    let transport = answering(paymentJSON())
    let seb = try makeProvider(transport, clock: clock)
    _ = try await seb.read(paymentID)
    clock.advance(by: .seconds(269))
    _ = try await seb.read(paymentID)
    #expect(tokenRequests(transport).count == 1)
    clock.advance(by: .seconds(1))
    _ = try await seb.read(paymentID)
    #expect(tokenRequests(transport).count == 2)
  }

  @Test(
    arguments: [
      (nil, 29, 31), (#""300""#, 269, 271), ("99999999999", 86_369, 86_371), ("1e3", 29, 31),
    ] as [(String?, Int, Int)])
  func `a life that is not said is short, and one without end is a day`(
    life: String?, kept: Int, over: Int
  ) async throws {
    for (seconds, count) in [(kept, 1), (over, 2)] {
      let clock = ManualClock(start: now)
      let transport = ClosureTransport { request in
        response(request.isTokenRequest ? tokenJSON(expiresIn: life) : paymentJSON())
      }
      let seb = try makeProvider(transport, clock: clock)
      _ = try await seb.read(paymentID)
      clock.advance(by: .seconds(seconds))
      _ = try await seb.read(paymentID)
      #expect(tokenRequests(transport).count == count)
    }
  }

  @Test func `a token that is over at once serves the call that fetched it`() async throws {
    let transport = ClosureTransport { request in
      response(request.isTokenRequest ? tokenJSON(expiresIn: "0") : paymentJSON())
    }
    let seb = try makeProvider(transport)
    for _ in 0..<2 { _ = try await seb.read(paymentID) }
    #expect(tokenRequests(transport).count == 2)
    #expect(transport.calls.count == 2)
  }

  @Test func `a 401 drops it once and repeats nothing`() async throws {
    let tokens = Locked(0)
    let transport = ClosureTransport { request in
      guard request.isTokenRequest else {
        let isGood = request.headers["Authorization"] == "Bearer token-2"
        return isGood ? response(paymentJSON()) : response("", status: 401)
      }
      return response(tokenJSON("token-\(tokens.withLock { $0 += 1; return $0 })"))
    }
    let seb = try makeProvider(transport)
    let bytes = Array("{}".utf8)
    let error = await failure { try await seb.create(bytes, idempotencyKey: "k") }
    #expect(error?.kind == .unauthorized)
    #expect(transport.calls.count == 1)
    _ = try await seb.create(bytes, idempotencyKey: "k")
    _ = try await seb.read(paymentID)
    #expect(tokenRequests(transport).count == 2)
    #expect(transport.calls.count == 3)
  }

  private static let refusals: [(Int, String, ProviderError.Kind)] = [
    (401, #"{"error":"invalid_client"}"#, .unauthorized),
    (400, #"{"error":"unauthorized_client"}"#, .unauthorized), (403, "", .unauthorized),
    (429, "", .throttled), (500, "", .notSent), (502, "<html>Bad Gateway</html>", .notSent),
    (302, "", .notSent), (200, "<html>", .notSent), (200, "", .notSent), (200, "{}", .notSent),
    (200, #"{"access_token":""}"#, .notSent), (200, #"{"access_token":"a b"}"#, .notSent),
    (200, #"{"access_token":"t","token_type":"mac"}"#, .notSent),
    (200, #"{"access_token":"\#(String(repeating: "t", count: 16_385))"}"#, .notSent),
  ]

  @Test(arguments: refusals)
  func `without one the call is not sent`(
    row: (status: Int, body: String, kind: ProviderError.Kind)
  ) async throws {
    let transport = ClosureTransport { _ in response(row.body, status: row.status) }
    let seb = try makeProvider(transport)
    let error = await failure { try await seb.create([0x7B, 0x7D], idempotencyKey: "k") }
    #expect(error?.kind == row.kind)
    #expect(transport.calls.isEmpty)
    #expect(error?.detail.contains("Gateway") == false)
  }

  @Test func `the longest token passes, and it need not say its type`() async throws {
    let long = String(repeating: "t", count: 16_384)
    let transport = ClosureTransport { request in
      response(request.isTokenRequest ? #"{"access_token":"\#(long)"}"# : paymentJSON())
    }
    _ = try await makeProvider(transport).read(paymentID)
    #expect(transport.calls.first?.headers["Authorization"] == "Bearer \(long)")
  }

  @Test(arguments: [HTTPTransportError.Kind.notSent, .unknown])
  func `a lost fetch says that the call was not sent`(
    kind: HTTPTransportError.Kind
  ) async throws {
    let transport = ClosureTransport { _ throws(HTTPTransportError) in
      throw HTTPTransportError(kind, reason: "the wire")
    }
    let seb = try makeProvider(transport)
    #expect(await failure { try await seb.read(paymentID) }?.kind == .notSent)
  }
}

@Suite("Callers at the same time share one fetch of a token")
struct SharedTokenTests {
  /// Token answers that wait until the test lets them go.
  private struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    init() { (stream, continuation) = AsyncStream.makeStream() }
    func open() { continuation.finish() }
    func wait() async { for await _ in stream {} }
  }

  private func untilTokenIsAsked(_ transport: ClosureTransport) async {
    while !transport.sent.contains(where: \.isTokenRequest) { await Task.yield() }
    for _ in 0..<200 { await Task.yield() }
  }

  @Test(arguments: [200, 500])
  func `ten calls ask once, and share its failure too`(status: Int) async throws {
    let gate = Gate()
    let transport = ClosureTransport { request in
      guard request.isTokenRequest else { return response(paymentJSON()) }
      await gate.wait()
      return response(tokenJSON(), status: status)
    }
    let seb = try makeProvider(transport)
    let failures = await withTaskGroup(of: ProviderError?.self) { group in
      for _ in 0..<10 { group.addTask { await failure { try await seb.read(paymentID) } } }
      await untilTokenIsAsked(transport)
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.count { $0 == nil } == (status == 200 ? 10 : 0))
    #expect(transport.sent.filter(\.isTokenRequest).count == 1)
    #expect(transport.calls.count == (status == 200 ? 10 : 0))
  }

  @Test func `who leaves takes no other caller with it`() async throws {
    let gate = Gate()
    let transport = ClosureTransport { request throws(HTTPTransportError) in
      guard request.isTokenRequest else { return response(paymentJSON()) }
      await gate.wait()
      if Task.isCancelled { throw HTTPTransportError(.unknown, reason: "cancelled") }
      return response(tokenJSON())
    }
    let seb = try makeProvider(transport)
    let reading = try await withThrowingTaskGroup(of: PaymentReading?.self) { group in
      // The first fetches for all; it is cancelled while the second waits.
      let isLeft = await withTaskGroup(of: Bool.self) { first in
        first.addTask { await failure { try await seb.read(paymentID) } != nil }
        await untilTokenIsAsked(transport)
        group.addTask { try await seb.read(paymentID) }
        for _ in 0..<200 { await Task.yield() }
        first.cancelAll()
        gate.open()
        return await first.next() ?? false
      }
      #expect(isLeft)
      return try await group.next() ?? nil
    }
    #expect(reading?.providerPaymentID == paymentID)
  }
}
