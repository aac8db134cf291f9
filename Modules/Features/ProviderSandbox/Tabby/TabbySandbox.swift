public import HTTPExchange
public import KitEnvironment
import PaymentModels

/// A fake Tabby: the provider's API, its hosted page and its webhooks, in one process.
///
/// It is written from the provider's public documents alone and shares no code with the kit's
/// client, so that a misreading in one of them shows. Serve it through any HTTP server, or call
/// ``respond(to:)`` directly, and keep ``run()`` going beside it:
///
/// ```swift
/// let sandbox = TabbySandbox(environment: environment, transport: transport)
/// async let running: Void = sandbox.run()
/// let answer = await sandbox.respond(to: request)
/// ```
///
/// State lives in memory and is gone with the process.
public struct TabbySandbox: HTTPHandler {
  private let transport: any HTTPTransport
  let ledger: TabbyLedger

  /// Sets up an empty sandbox.
  ///
  /// - Parameters:
  ///   - settings: what it accepts and how it behaves where the provider's document is silent.
  ///   - environment: time, ids and log. The sandbox's own clock is this one plus an offset that
  ///     the control API moves forward.
  ///   - transport: what carries webhooks to the merchant.
  ///   - publicURL: origin of the links that it hands out, such as `http://127.0.0.1:9080`; nil
  ///     takes the `Host` of the request that asks for a checkout.
  public init(
    settings: TabbySandboxSettings = TabbySandboxSettings(), environment: KitEnvironment,
    transport: any HTTPTransport, publicURL: String? = nil
  ) {
    self.transport = transport
    ledger = TabbyLedger(
      settings: settings, environment: environment, links: SandboxLinks(publicURL: publicURL))
  }

  /// Answers one request of a merchant's server, of a payer's browser or of the control API.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    await ledger.respond(to: request)
  }

  /// Delivers webhooks and lets time pass (delayed authorisation, expiry) until the task is
  /// cancelled. Call it once.
  public func run() async { await ledger.run(over: transport) }
}
