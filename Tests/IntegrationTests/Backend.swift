@testable import Bootstrap
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderSandbox
import StrictJSON
import SystemCrypto
import SystemRuntime
import TestSupport
import Testing

/// The production server and the sandbox in one process on a manual clock: requests travel as
/// values, time moves only when a test moves it.
struct Backend: Sendable {
  static let sandboxURL = "http://127.0.0.1:4010"
  static let serverURL = "http://127.0.0.1:4020"
  static let receiverURL = "http://127.0.0.1:4030"

  let clock: ManualClock
  let environment: KitEnvironment
  let shop: DemoShop
  let store: any PaymentStore
  let sandbox: TabbySandbox
  let server: any HTTPHandler
  let transport: ClosureTransport
  private let composition: ServerComposition

  /// Puts a world together, lets its parts run, hands it to `body` and takes it down.
  static func run(
    lost: @escaping @Sendable (HTTPOutgoing) -> Bool = { _ in false },
    _ body: (Backend) async throws -> Void
  ) async throws {
    let directory = try Files.makeTemporaryDirectory()
    defer { try? Files.removeTree(directory) }
    let backend = try await Backend(directory: directory, lost: lost)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await backend.sandbox.run() }
      group.addTask { await backend.composition.run() }
      try await backend.registerWebhook()
      try await body(backend)
      group.cancelAll()
    }
  }

  private init(
    directory: String, lost: @escaping @Sendable (HTTPOutgoing) -> Bool
  ) async throws {
    let clock = ManualClock()
    let environment = KitEnvironment(
      clock: clock.clock, random: seededRandom(7), log: .silent, hashing: .openSSL)
    let shop = DemoShop(directory: directory, environment: environment)
    try shop.write(sandbox: Self.sandboxURL, fulfilment: Self.receiverURL, port: 0)
    let configuration = try ServerConfiguration(
      file: shop.configurationFile, environment: shop.environment)
    let routes = Locked<[(prefix: String, handler: any HTTPHandler)]>([])
    let transport = ClosureTransport { request throws(HTTPTransportError) in
      guard
        let (prefix, handler) = routes.withLock({ routes in
          routes.first { request.url.hasPrefix($0.prefix) }
        })
      else { throw HTTPTransportError(.notSent, reason: "connect refused") }
      let response = await handler.respond(
        to: HTTPRequest(
          method: request.method, target: String(request.url.dropFirst(prefix.count)),
          headers: request.headers, body: request.body, peer: "127.0.0.1"))
      if lost(request) { throw HTTPTransportError(.unknown, reason: "reset") }
      return response
    }
    let waiters = WaiterTable(waitersMax: 100)
    let store = InMemoryPaymentStore(onCommit: { waiters.committed($0) })
    let sandbox = TabbySandbox(
      settings: TabbySandboxSettings(keys: [shop.tabbyKey]), environment: environment,
      transport: transport, publicURL: Self.sandboxURL)
    let composition = ServerComposition(
      configuration, store: store, waiters: waiters, transport: transport,
      environment: environment)
    routes.withLock { routes in
      routes = [
        (Self.sandboxURL, sandbox), (Self.serverURL, composition.handler),
        (Self.receiverURL, Receiver()),
      ]
    }
    self.clock = clock
    self.environment = environment
    self.shop = shop
    self.store = store
    self.sandbox = sandbox
    self.composition = composition
    self.transport = transport
    server = composition.handler
  }

  private struct Receiver: HTTPHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse { HTTPResponse(status: 204) }
  }

  private func registerWebhook() async throws {
    let body: JSONValue = .object([
      "url": .string("\(Self.serverURL)/webhooks/tabby"),
      "header": .object([
        "title": .string(DemoShop.webhookHeader), "value": .string(shop.webhookSecret.reveal()),
      ]),
    ])
    let response = await sandbox.respond(
      to: HTTPRequest(
        method: "POST", target: "/api/v1/webhooks",
        headers: [
          "Authorization": "Bearer \(shop.tabbyKey.reveal())", "X-Merchant-Code": "AE",
          "Content-Type": "application/json",
        ], body: body.serialized()))
    guard response.status == 200 else {
      throw Unexpected("webhook registration: \(response.status)")
    }
  }

  /// Moves time on in small steps until `isDone` gives a value; fails after `limit` of it.
  func until<Value: Sendable>(
    _ what: String, within limit: Duration = .seconds(60),
    _ isDone: () async throws -> Value?
  ) async throws -> Value {
    let step = Duration.milliseconds(50)
    var passed = Duration.zero
    while true {
      if let value = try await isDone() { return value }
      guard passed < limit else { throw Unexpected("\(what): not within \(limit)") }
      await pause(step)
      passed += step
    }
  }

  /// Lets time pass, and everybody work who is woken by it.
  func pause(_ duration: Duration) async {
    clock.advance(by: duration)
    for _ in 0..<40 { await Task.yield() }
    // The store's thread is as real as the clock is not: time must not run away from what it has
    // in hand, however busy the machine is. An empty write comes after all that wait.
    do {
      try await store.write { _ in }
    } catch {
      Issue.record("the store does not answer: \(error)")
    }
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
