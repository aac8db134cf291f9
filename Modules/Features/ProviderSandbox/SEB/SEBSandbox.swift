public import HTTPExchange
public import KitEnvironment
import PaymentModels

/// A fake SEB: access tokens, the provider's API, its hosted page with cards, 3-D Secure, a mock
/// bank and Click to Pay, and callbacks.
///
/// It is written from the public pages of SEB and of the E-commerce Gateway alone and shares no
/// code with the kit's client. Serve it through any HTTP server, alone or under a prefix by
/// ``ProviderSandboxes``, and keep ``run()`` going beside it. State lives in memory and is gone
/// with the process.
public struct SEBSandbox: HTTPHandler {
  private let transport: any HTTPTransport
  let ledger: SEBLedger

  /// Sets up an empty sandbox.
  ///
  /// - Parameters:
  ///   - environment: time, ids, random bits and log. The sandbox's own clock is this one plus an
  ///     offset that the control API moves forward; tokens live by this one.
  ///   - transport: what carries callbacks to the merchant.
  ///   - publicURL: origin of the links that it hands out; nil takes the `Host` of the request
  ///     that makes a payment.
  ///   - prefix: path in front of everything, without a slash at the end. Requests come without
  ///     it; links are handed out with it.
  public init(
    settings: SEBSandboxSettings = SEBSandboxSettings(), environment: KitEnvironment,
    transport: any HTTPTransport, publicURL: String? = nil, prefix: String = ""
  ) {
    self.transport = transport
    ledger = SEBLedger(
      settings: settings, environment: environment,
      links: SandboxLinks(publicURL: publicURL, prefix: prefix))
  }

  /// Answers one request of a merchant's server, of a payer's browser or of the control API.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    await ledger.respond(to: request)
  }

  /// Delivers callbacks and lets time pass until the task is cancelled. Call it once.
  public func run() async { await ledger.run(over: transport) }
}
