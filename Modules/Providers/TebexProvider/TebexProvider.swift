public import HTTPExchange
public import KitEnvironment
public import PaymentModels
public import ProviderInterface
import StrictJSON

/// Tebex, packages of a web store paid on a hosted page, for one store.
///
/// It maps Tebex' Headless API, and its Checkout API where a store has access, to
/// ``PaymentProvider`` and keeps nothing: no state, no retries. Docs/Providers/tebex.md says what
/// each answer proves and what had to be assumed.
///
/// ```swift
/// let tebex = TebexProvider(configuration, transport: CurlTransport(), environment: environment)
/// let reading = try await tebex.read(basketIdent)
/// ```
public struct TebexProvider: PaymentProvider {
  /// The store that it speaks for.
  public let configuration: TebexConfiguration
  let transport: any HTTPTransport
  private let hashing: Hashing

  /// Speaks for a store through `transport`.
  ///
  /// - Parameter environment: its hash functions.
  public init(
    _ configuration: TebexConfiguration, transport: any HTTPTransport, environment: KitEnvironment
  ) {
    self.configuration = configuration
    self.transport = transport
    hashing = environment.hashing
  }

  /// Always ``PaymentModels/ProviderName/tebex``.
  public var name: ProviderName { .tebex }
  /// The account's name.
  public var account: ProviderAccount { configuration.account }
  /// What the settings say.
  public var mode: PaymentMode { configuration.mode }

  /// No key for a create; money is taken at once; the Checkout API gives all of it back, and
  /// carries no reference of ours.
  public var capabilities: ProviderCapabilities {
    ProviderCapabilities(
      createHasIdempotencyKey: false, capture: .automatic, close: .none,
      refund: configuration.settings.checkout == nil ? .none : .full,
      operationsCarryReference: false, refundsOnce: true, webhook: .signed,
      webhookSetup: .byHand(place: "in Tebex' panel, which then validates it"),
      paidProofs: [.read],
      undoneProofs: configuration.settings.checkout == nil
        ? [.signedWebhook] : [.signedWebhook, .transactionRead],
      readSchedule: tebexReadSchedule, currencies: [configuration.currency.code])
  }

  /// Builds bytes that describe the whole create: the basket, and in its `custom` the packages and
  /// the price. Equal terms give equal bytes.
  ///
  /// - Throws: ``ProviderError`` of kind `refused` for another currency, a total that is not
  ///   positive or not the sum of the lines, a product that is no package, more than 20 packages,
  ///   a buyer without the username that the store requires.
  public func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8] {
    try BasketRequest(configuration: configuration, terms: terms).bytes()
  }

  /// Reads a basket: the proof that it was paid. What was given back since shows nowhere in it.
  ///
  /// - Throws: ``ProviderError`` of kind `refused`, before anything is sent, if `id` could not be
  ///   a basket's ident.
  public func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    let basket = try await basket(id)
    return try check.map { () throws(JSONPathError) in try basket.reading() }
  }

  /// Refused here: Tebex takes the money by itself.
  public func capture(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    throw .notDocumented("capture", at: "Tebex")
  }

  /// Refused here: an unpaid basket is left alone.
  public func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    throw .notDocumented("close", at: "Tebex")
  }

  /// Checks the signature over the raw bytes and finds our payment's id in what the basket
  /// carried. A store without a webhook secret, which only test mode may have, takes no delivery.
  public func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection {
    WebhookDelivery(request: request, configuration: configuration, hashing: hashing).inspection()
  }

  /// The one that carries the signature.
  public var webhookHeaders: [String] { [WebhookDelivery.signatureHeader] }

  /// What a signed delivery about a payment proves: how it was paid, that it was given back or
  /// disputed. A basket can say none of that, so this counts beside a read; only once a basket was
  /// read as paid, because a delivery does not name the basket that it is about.
  public func webhookProof(_ body: [UInt8], of payment: ProviderPaymentID) -> WebhookProof? {
    guard let event = try? WebhookEvent(body), event.topic.isProof,
      let reading = try? TransactionAnswer(event.subject, configuration)
        .reading(of: payment, topic: event.topic)
    else { return nil }
    return WebhookProof(reading: reading, occurredAt: event.occurredAt, supplementsRead: true)
  }
}

/// Quick while the payer is at the page, then every two minutes for an hour, then hourly: neither
/// a rate nor the life of a basket is documented.
private let tebexReadSchedule: [Duration] =
  [2, 5, 15, 30, 60].map { .seconds($0) } + Array(repeating: .seconds(120), count: 30)
  + [.seconds(3_600)]
