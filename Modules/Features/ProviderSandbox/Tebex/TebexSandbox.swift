public import HTTPExchange
public import KitEnvironment
import PaymentModels

/// A fake Tebex: the Headless and Checkout APIs of one store, its hosted page, and signed webhooks
/// with their handshake.
///
/// It is written from Tebex' documents alone and shares no code with the kit's client. Serve it
/// through any HTTP server, alone or under a prefix by ``ProviderSandboxes``, and keep ``run()``
/// going beside it. State lives in memory and is gone with the process.
///
/// Real Tebex has a host for each part; here the Headless API lies under `/headless/api`, the
/// Checkout API under `/checkout/api`, and a basket's page at `/pay/{ident}`.
public struct TebexSandbox: HTTPHandler {
  private let environment: KitEnvironment
  private let transport: any HTTPTransport
  let ledger: TebexLedger

  /// Sets up an empty sandbox.
  ///
  /// - Parameters:
  ///   - environment: time, ids, hash functions and log. The sandbox's own clock is this one plus
  ///     an offset that the control API moves forward.
  ///   - transport: what carries webhooks to the merchant.
  ///   - publicURL: origin of the links that it hands out; nil takes the `Host` of the request
  ///     that makes a basket.
  ///   - prefix: path in front of everything, without a slash at the end. Requests come without
  ///     it; links are handed out with it.
  public init(
    settings: TebexSandboxSettings = TebexSandboxSettings(), environment: KitEnvironment,
    transport: any HTTPTransport, publicURL: String? = nil, prefix: String = ""
  ) {
    self.environment = environment
    self.transport = transport
    ledger = TebexLedger(
      settings: settings, environment: environment,
      links: SandboxLinks(publicURL: publicURL, prefix: prefix))
  }

  /// Answers one request of a merchant's server, of a payer's browser or of the control API.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    await ledger.respond(to: request)
  }

  /// Delivers webhooks and lets time pass until the task is cancelled. Call it once.
  public func run() async {
    await SandboxLoop(
      clock: environment.clock, nextStep: { await ledger.nextTask() },
      deliver: { await deliver($0) }
    ).run()
  }

  /// The handshake counts only with the right answer, so the whole answer is looked at.
  private func deliver(_ delivery: WebhookDelivery) async {
    await ledger.finish(delivery, answer: await delivery.answer(over: transport))
  }
}
