@testable import Bootstrap
@testable import Conformance
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

/// The suite, the sandboxes and the production server in one process on a manual clock. Between
/// suite and server stands what a test puts there.
struct ConformanceWorld: Sendable {
  static let sandboxURL = "http://127.0.0.1:4010"
  static let serverURL = "http://127.0.0.1:4020"
  static let suiteURL = "http://127.0.0.1:4030"

  private let clock = ManualClock()
  private let environment: KitEnvironment
  private let shop: DemoShop
  private let sandbox: DemoSandbox
  private let composition: ServerComposition
  private let suite: ConformanceRun

  /// Plays checks against the server, behind `mistake` if there is one.
  ///
  /// - Parameter capture: whether the server takes held money, or leaves that to the shop's staff.
  static func play(
    _ options: ConformanceRun.Options = .init(), mistake: Mistake? = nil,
    capture: SettlementPolicy.Capture = .automatic, adapter: JSONValue = ConformanceAdapter.own
  ) async throws -> Scorecard {
    let directory = try Files.makeTemporaryDirectory()
    defer { try? Files.removeTree(directory) }
    let world = try ConformanceWorld(directory, options, mistake, capture, adapter)
    return try await withTaskExecutorPreference(SerialTaskExecutor()) {
      try await withThrowingTaskGroup(of: Scorecard?.self) { group in
        let isOver = Locked(false)
        group.addTask {
          await world.sandbox.run()
          return nil
        }
        group.addTask {
          await world.composition.run()
          return nil
        }
        group.addTask {
          defer { isOver.withLock { $0 = true } }
          return try await world.suite.run()
        }
        while !isOver.withLock({ $0 }) { await world.pause() }
        defer { group.cancelAll() }
        for try await card in group { if let card { return card } }
        throw Unplayed()
      }
    }
  }

  private init(
    _ directory: String, _ options: ConformanceRun.Options, _ mistake: Mistake?,
    _ capture: SettlementPolicy.Capture, _ adapter: JSONValue
  ) throws {
    environment = KitEnvironment(
      clock: clock.clock, random: seededRandom(5), log: .silent, hashing: .openSSL)
    shop = DemoShop(directory: directory, limitsRate: false, environment: environment)
    try shop.write(
      sandbox: Self.sandboxURL, fulfilment: "\(Self.suiteURL)/fulfilment", port: 0)
    var configuration = try ServerConfiguration(
      file: shop.configurationFile, environment: shop.environment)
    configuration.policy.capture = capture
    let parties = Locked<[(prefix: String, handler: any HTTPHandler)]>([])
    let transport = ClosureTransport { request throws(HTTPTransportError) in
      guard
        let party = parties.withLock({ $0.first { request.url.hasPrefix($0.prefix) } })
      else { throw HTTPTransportError(.notSent, reason: "connect refused") }
      var headers = request.headers
      headers.add("Host", String(party.prefix.dropFirst("http://".count)))
      return await party.handler.respond(
        to: HTTPRequest(
          method: request.method, target: String(request.url.dropFirst(party.prefix.count)),
          headers: headers, body: request.body, peer: "127.0.0.1"))
    }
    let waiters = WaiterTable(waitersMax: 100)
    sandbox = DemoSandbox(
      tabby: .init(keys: [shop.tabbyKey]), futaKeys: [shop.futaKey], raisKeys: [shop.raisKey],
      tebexKeys: [shop.tebexKey], sebSecrets: [shop.sebSecret], environment: environment,
      transport: transport)
    composition = ServerComposition(
      configuration, store: InMemoryPaymentStore(onCommit: { waiters.committed($0) }),
      waiters: waiters, transport: transport, environment: environment)
    let variables = shop.environment.merging(
      ["TILL_APP_TOKEN": shop.token(.approved).reveal()]
    ) { $1 }
    suite = ConformanceRun(
      backend: Self.serverURL, sandbox: Self.sandboxURL, ownURL: Self.suiteURL,
      adapter: try ConformanceAdapter(json: adapter, variables: variables),
      options: options, transport: transport, environment: environment)
    let server = composition.handler
    let planted = Planted(
      key: shop.futaKey.reveal(), token: shop.token(.approved).reveal())
    let all = [
      (Self.sandboxURL, sandbox.handler),
      (Self.serverURL, mistake?.server(server, planted) ?? server),
      (Self.suiteURL, mistake?.shop(suite.handler) ?? suite.handler),
    ]
    parties.withLock { $0 = all.map { (prefix: $0.0, handler: $0.1) } }
  }

  private struct Unplayed: Error {}

  private func pause() async {
    clock.advance(by: .milliseconds(20))
    for _ in 0..<100 { await Task.yield() }
  }
}
