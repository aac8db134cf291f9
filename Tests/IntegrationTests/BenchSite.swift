import CurlTransport
import HTTPExchange
import HTTPListener
import KitEnvironment
import PaymentModels
import ProviderInterface
import SystemCrypto
import SystemRuntime
import TestSupport

/// How the parties of a bench reach each other.
enum BenchWire: String, CaseIterable {
  case inProcess = "in process"
  case loopback = "over a socket"
}

/// Where a provider's server and the merchant's webhook address are to stand.
struct BenchSite: Sendable {
  /// Origin of the provider's API and pages.
  let origin: String
  /// Reaches the whole site.
  let transport: any HTTPTransport
  let environment: KitEnvironment

  var webhookURL: String { origin + "/merchant/webhook" }
}

/// What a provider brings to its bench.
struct BenchParts: Sendable {
  /// The client over a transport.
  let client: @Sendable (any HTTPTransport) throws -> any PaymentProvider
  let server: any HTTPHandler
  /// What goes on beside the server.
  let run: @Sendable () async -> Void
  /// Called once the site is up.
  var prepare: @Sendable () async throws -> Void = {}
  let terms: @Sendable (Int) throws -> CheckoutTerms
  let stranger: ProviderPaymentID
  let words: AnswerWords
  /// Goes through the page with a browser.
  let pay: @Sendable (inout Browser, String) async -> Void
  let declined: @Sendable (inout Browser, String) async -> Void
}

/// A provider with a sandbox.
struct BenchKind: Sendable, CustomStringConvertible {
  let description: String
  let build: @Sendable (BenchSite) throws -> BenchParts

  init(_ name: String, _ build: @escaping @Sendable (BenchSite) throws -> BenchParts) {
    description = name
    self.build = build
  }

  /// Sets a bench up, hands it over and takes it down.
  func bench<Value: Sendable>(
    _ wire: BenchWire, _ body: @escaping @Sendable (ProviderBench) async throws -> Value
  ) async throws -> Value {
    var environment = KitEnvironment.test(ManualClock())
    environment.hashing = .openSSL
    let ground = SiteGround()
    switch wire {
    case .inProcess:
      return try await run(
        BenchSite(
          origin: "http://127.0.0.1:9080", transport: HandlerTransport(ground),
          environment: environment), on: ground, body)
    case .loopback:
      let listener = try HTTPListener(
        address: "127.0.0.1", port: 0, limits: HTTPListenerLimits(), handler: ground,
        log: { _ in })
      let curl = CurlTransport()
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await listener.run() }
        let result: Result<Value, any Error>
        do {
          result = .success(
            try await run(
              BenchSite(
                origin: "http://127.0.0.1:\(listener.port)", transport: patient(curl),
                environment: environment), on: ground, body))
        } catch {
          result = .failure(error)
        }
        await curl.close()
        _ = await listener.drain(grace: .zero)
        try await group.waitForAll()
        return try result.get()
      }
    }
  }

  private func run<Value: Sendable>(
    _ site: BenchSite, on ground: SiteGround,
    _ body: @escaping @Sendable (ProviderBench) async throws -> Value
  ) async throws -> Value {
    let parts = try build(site)
    let spoiler = AnswerSpoiler(parts.server)
    ground.serve(spoiler)
    try await parts.prepare()
    let wire = faulty(site.transport, before: spoiler)
    let visit = {
      @Sendable (_ step: @Sendable (inout Browser, String) async -> Void, page: String) in
      var browser = Browser(site.transport, origin: site.origin)
      await step(&browser, page)
    }
    let provider = try parts.client(wire)
    // A question about the address alone is answered as the kit's server does.
    ground.answerHooks { request in
      guard case .handshake(let answer) = provider.inspectWebhook(request) else { return nil }
      return HTTPResponse(status: 200, body: answer)
    }
    let bench = ProviderBench(
      provider: provider, sentCount: { wire.sent.count }, terms: parts.terms,
      stranger: parts.stranger, words: parts.words, spoiler: spoiler,
      payer: Payer(
        pay: { await visit(parts.pay, $0) }, declined: { await visit(parts.declined, $0) }),
      nextDelivery: { try await ground.nextDelivery() })
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await parts.run() }
      defer { group.cancelAll() }
      return try await body(bench)
    }
  }
}

/// Waits as long as a machine with other work to do may need; only a deadline that a test sets is
/// kept.
private func patient(_ transport: CurlTransport) -> ClosureTransport {
  ClosureTransport { request throws(HTTPTransportError) in
    var request = request
    if request.deadline != hastyDeadline { request.deadline = .seconds(300) }
    return try await transport.send(request)
  }
}

private let hastyDeadline = Duration.milliseconds(300)

/// Does the wire's part of a fault: gives up soon on an answer that is kept back, as a client's
/// deadline makes it do, and finds nobody where a server is said not to be there.
private func faulty(
  _ transport: any HTTPTransport, before spoiler: AnswerSpoiler
) -> ClosureTransport {
  ClosureTransport { request throws(HTTPTransportError) in
    var request = request
    let isSocket = !(transport is HandlerTransport)
    switch spoiler.nextFault {
    case .unreachable where isSocket:
      spoiler.forget()
      // A port below 1024 that nobody serves on a machine for tests.
      let path = request.url.split(separator: "/", maxSplits: 3).dropFirst(2).first ?? ""
      request.url = "http://127.0.0.1:1/\(path)"
    case .unreachable:
      spoiler.forget()
      throw HTTPTransportError(.notSent, reason: "connect refused")
    case .slow where isSocket: request.deadline = hastyDeadline
    case .slow:
      await withTaskGroup(of: Void.self) { group in
        group.addTask { [request] in _ = try? await transport.send(request) }
        await spoiler.waitUntilHeld()
        group.cancelAll()
      }
      throw HTTPTransportError(.unknown, reason: "deadline passed")
    default: break
    }
    return try await transport.send(request)
  }
}

/// One origin with the provider's server and, under `/merchant/`, the merchant's webhook address.
private final class SiteGround: HTTPHandler {
  private struct Parties {
    var server: (any HTTPHandler)?
    var hooks: @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
  }

  private let parties = Locked(Parties())
  private let (arrivals, arriving) = AsyncStream<HTTPRequest>.makeStream()

  func serve(_ handler: any HTTPHandler) { parties.withLock { $0.server = handler } }

  /// Answers webhooks by `answer`; what that leaves alone is taken.
  func answerHooks(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse?) {
    parties.withLock { $0.hooks = answer }
  }

  func nextDelivery() async throws -> HTTPRequest {
    for await request in arrivals { return request }
    throw FixtureError()
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let (server, hooks) = parties.withLock { ($0.server, $0.hooks) }
    if request.target.hasPrefix("/merchant/") {
      if let answer = hooks(request) { return answer }
      arriving.yield(request)
      return HTTPResponse(status: 200)
    }
    guard let server else { return HTTPResponse(status: 503) }
    return await server.respond(to: request)
  }
}
