import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import SystemCrypto
import SystemRuntime
import TestSupport
import Testing

@Suite("Messages that nobody acknowledges, and a receiver that does each once")
struct DeadLetterTests {
  private static let secret = Secret("a secret of sixteen bytes")

  /// A store with an order whose messages are `fulfil` and `revoke`.
  private static func store() async throws -> any PaymentStore {
    let store = InMemoryPaymentStore()
    try await store.seed(payments: 0)
    try await store.write { transaction in
      try transaction.insertMessage(Sample.message(1, sequence: 1))
      var revoke = Sample.message(2, sequence: 2)
      revoke.kind = .revoke
      try transaction.insertMessage(revoke)
    }
    return store
  }

  private static func run(
    _ store: any PaymentStore, _ transport: any HTTPTransport, _ clock: ManualClock,
    triesMax: Int = 400, _ body: () async throws -> Void
  ) async throws {
    var environment = KitEnvironment.test(clock)
    environment.hashing = .openSSL
    var settings = OutboxSettings(url: "https://shop.example/hook", secret: secret)
    settings.triesMax = triesMax
    let outbox = FulfilmentOutbox(
      store: store, transport: transport, settings: settings, environment: environment)
    try await withTaskExecutorPreference(SerialTaskExecutor()) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await outbox.run() }
        defer { group.cancelAll() }
        try await body()
      }
    }
  }

  private static func pass(_ duration: Duration, _ clock: ManualClock) async {
    var passed = Duration.zero
    while passed < duration {
      clock.advance(by: .milliseconds(500))
      for _ in 0..<40 { await Task.yield() }
      passed += .milliseconds(500)
    }
  }

  private static func states(_ store: any PaymentStore) async throws -> [MessageRow.State] {
    try await store.read { try $0.messages(of: Sample.orderID(1)).map(\.state) }
  }

  @Test func `a message is given up after its last try, and a revoke waits behind its fulfil`()
    async throws
  {
    let (store, clock) = (try await Self.store(), ManualClock())
    let answer = Locked(500)
    let transport = ClosureTransport { _ in HTTPResponse(status: answer.withLock { $0 }) }
    try await Self.run(store, transport, clock, triesMax: 3) {
      await Self.pass(.seconds(4), clock)
      #expect(try await Self.states(store) == [.dead, .waiting])
      #expect(transport.sent.count == 3)
      answer.withLock { $0 = 204 }
      await Self.pass(.seconds(60), clock)
      // The receiver is back, and must not hear of the revoke first.
      #expect(try await Self.states(store) == [.dead, .waiting])
      #expect(transport.sent.count == 3)
      let outcome = try await store.write {
        try $0.redeliver(
          Sample.messageID(1), by: OperatorName("anna"), reason: "it is back", at: clock.now)
      }
      guard case .due(let row) = outcome else { throw StoreError(.missing, "\(outcome)") }
      #expect(row.tries == 0)
      await Self.pass(.seconds(2), clock)
      #expect(try await Self.states(store) == [.delivered, .delivered])
      #expect(
        transport.sent.suffix(2).map { $0.headers["webhook-id"] }
          == [1, 2].map { Sample.messageID($0).rawValue })
    }
    let journal = try await store.read { try $0.journal(of: Sample.orderID(1), limit: 9) }
    #expect(
      journal.map(\.change) == [
        "fulfil given up", "fulfil dead → waiting", "fulfil delivered", "revoke delivered",
      ])
    #expect(journal[1].operatorName == OperatorName("anna"))
    #expect(journal[1].note == "it is back")
  }

  @Test(arguments: [(2, MessageRow.State.waiting), (3, .dead)])
  func `the last try is the bound`(tries: Int, state: MessageRow.State) async throws {
    let (store, clock) = (try await Self.store(), ManualClock())
    let sent = Locked(0)
    let transport = ClosureTransport { _ in
      sent.withLock { $0 += 1 }
      return HTTPResponse(status: 500)
    }
    try await Self.run(store, transport, clock, triesMax: 3) {
      while sent.withLock({ $0 }) < tries { await Self.pass(.milliseconds(500), clock) }
      await Self.pass(.zero, clock)
      for _ in 0..<200 { await Task.yield() }
      let states = try await Self.states(store)
      #expect(states[0] == state)
    }
    #expect(OutboxSettings(url: "https://shop.example", secret: Self.secret).triesMax == 400)
  }

  @Test func `what a later message has overtaken is not sent again`() async throws {
    let (store, clock) = (try await Self.store(), ManualClock())
    let transport = ClosureTransport { _ in HTTPResponse(status: 204) }
    try await Self.run(store, transport, clock) { await Self.pass(.seconds(2), clock) }
    #expect(try await Self.states(store) == [.delivered, .delivered])
    let outcomes = try await store.write { transaction in
      try [1, 2, 9].map {
        try transaction.redeliver(
          Sample.messageID($0), by: OperatorName("anna"), reason: "lost there", at: clock.now)
      }
    }
    #expect(outcomes[0] == .overtaken)
    guard case .due = outcomes[1] else { throw StoreError(.missing, "\(outcomes[1])") }
    #expect(outcomes[2] == .missing)
  }

  @Test func `a receiver does each once, although answers are lost and it fails at times`()
    async throws
  {
    let (store, clock) = (try await Self.store(), ManualClock())
    var environment = KitEnvironment.test(clock)
    environment.hashing = .openSSL
    let (done, calls) = (Locked<[String]>([]), Locked(0))
    let receiver = MessageReceiver(
      secrets: [Secret("an old one, of before"), Self.secret],
      environment: environment
    ) { message in
      let call = calls.withLock { count in
        count += 1
        return count
      }
      if call == 1 { throw StoreError(.busy, "not now") }
      done.withLock { if !$0.contains(message.id) { $0.append(message.id) } }
    }
    let answers = Locked(0)
    let transport = ClosureTransport { request throws(HTTPTransportError) in
      let response = await receiver.respond(
        to: HTTPRequest(
          method: request.method, target: "/", headers: request.headers, body: request.body))
      let count = answers.withLock { count in
        count += 1
        return count
      }
      if count == 2 { throw HTTPTransportError(.unknown, reason: "the answer was lost") }
      return response
    }
    try await Self.run(store, transport, clock) {
      await Self.pass(.seconds(20), clock)
    }
    #expect(try await Self.states(store) == [.delivered, .delivered])
    #expect(done.withLock { $0 } == [1, 2].map { Sample.messageID($0).rawValue })
    #expect(calls.withLock { $0 } == 4)
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: Int
    var method = "POST"
    var secret = "a secret of sixteen bytes"
    var signedID = "m-1"
    var age: Duration = .zero
    var body = #"{"id":"m-1","type":"order.fulfil","order_id":"o-1","sequence":1}"#
  }

  @Test(arguments: [
    Bad(testDescription: "good", status: 204),
    Bad(testDescription: "not a POST", status: 405, method: "GET"),
    Bad(testDescription: "another secret", status: 401, secret: "another one"),
    Bad(testDescription: "another id than the body's", status: 400, signedID: "m-2"),
    Bad(testDescription: "five minutes old", status: 204, age: .seconds(300)),
    Bad(testDescription: "older", status: 401, age: .seconds(301)),
    Bad(testDescription: "no JSON", status: 400, body: "order.fulfil"),
    Bad(testDescription: "no order", status: 400, body: #"{"id":"m-1","type":"t","sequence":1}"#),
    Bad(
      testDescription: "at the limit", status: 400,
      body: String(repeating: "x", count: MessageReceiver.bodyBytesMax)),
    Bad(
      testDescription: "over the limit", status: 413,
      body: String(repeating: "x", count: MessageReceiver.bodyBytesMax + 1)),
  ])
  func `a receiver takes what is signed and is a message`(row: Bad) async {
    let clock = ManualClock()
    var environment = KitEnvironment.test(clock)
    environment.hashing = .openSSL
    let taken = Locked(0)
    let receiver = MessageReceiver(secrets: [Self.secret], environment: environment) { _ in
      taken.withLock { $0 += 1 }
    }
    let body = Array(row.body.utf8)
    let headers = MessageSignature(secret: Secret(row.secret), hashing: .openSSL)
      .headers(id: row.signedID, at: clock.now - row.age, body: body)
    let answer = await receiver.respond(
      to: HTTPRequest(method: row.method, target: "/", headers: headers, body: body))
    #expect(answer.status == row.status)
    #expect(taken.withLock { $0 } == (row.status == 204 ? 1 : 0))
  }
}
