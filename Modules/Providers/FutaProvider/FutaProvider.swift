public import HTTPExchange
public import KitEnvironment
public import PaymentModels
public import ProviderInterface
import StrictJSON

/// Futa, mobile money and bank payments, for one account: payments whose hosted checkout is shown
/// inside an app.
///
/// It maps Futa's API to ``PaymentProvider`` and keeps nothing: no state, no retries. Each method
/// sends one request at most. Docs/Providers/futa.md says what each answer proves and what had to
/// be assumed.
///
/// ```swift
/// let futa = FutaProvider(configuration, transport: CurlTransport(), environment: environment)
/// let reading = try await futa.read(paymentID)
/// ```
public struct FutaProvider: PaymentProvider {
  /// The account that it speaks for.
  public let configuration: FutaConfiguration
  private let transport: any HTTPTransport
  private let hashing: Hashing
  private let clock: KitClock

  /// Speaks for an account through `transport`.
  ///
  /// - Parameter environment: its clock, for `expires_at` and the age of webhooks, and its hash
  ///   functions.
  public init(
    _ configuration: FutaConfiguration, transport: any HTTPTransport, environment: KitEnvironment
  ) {
    self.configuration = configuration
    self.transport = transport
    hashing = environment.hashing
    clock = environment.clock
  }

  /// Always ``PaymentModels/ProviderName/futa``.
  public var name: ProviderName { .futa }
  /// The account's name.
  public var account: ProviderAccount { configuration.account }
  /// What the settings say.
  public var mode: PaymentMode { configuration.mode }

  /// A create has a key, so a lost one is found again. Money is taken at once; nothing is
  /// documented by which we could hold, cancel or give back.
  public var capabilities: ProviderCapabilities {
    let states = configuration.states
    return ProviderCapabilities(
      createHasIdempotencyKey: true, capture: .automatic, close: .none, refund: .none,
      webhook: .signed,
      webhookSetup: .byHand(place: "with Futa itself, whose page does not say where"),
      paidProofs: proofs, undoneProofs: proofs,
      unpaidEnds: (states.failed + states.expired + states.cancelled).map { "final \($0)" },
      readSchedule: futaReadSchedule, currencies: [configuration.amounts.currency.code],
      currencyNote: "one, by setting")
  }

  /// Builds the body of a create with a fresh `expires_at`. The caller stores the bytes and sends
  /// them at every repeat: Futa's key binds this instant with all other terms.
  ///
  /// - Throws: ``ProviderError`` of kind `refused` for another currency, a total that is not
  ///   positive, not the sum of the lines or no whole number on the wire, a return URL that is
  ///   not https.
  public func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8] {
    try CheckoutRequest(configuration: configuration, terms: terms, now: clock.now()).bytes()
  }

  /// Makes a payment, or finds the one that the same key and bytes have made.
  public func create(
    _ request: [UInt8], idempotencyKey: String
  ) async throws(ProviderError) -> CreatedPayment {
    let json = try await api.send(
      "POST", "", headers: ["Idempotency-Key": idempotencyKey], body: request)
    return try api.check.created { () throws(JSONPathError) in
      let answer = PaymentAnswer(json: json, configuration: configuration)
      return (try answer.reading(), try answer.checkoutURL())
    }
  }

  /// Reads a payment: the proof of its state.
  ///
  /// - Throws: ``ProviderError`` of kind `refused`, before anything is sent, if `id` could not be
  ///   one of Futa's: it becomes part of a path that the secret key opens.
  public func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    guard isToken(id.rawValue) else {
      throw ProviderError(.refused, detail: "the payment id is none of Futa's; nothing was sent")
    }
    let json = try await api.send("GET", "/\(id)")
    return try api.check.reading(of: id) { () throws(JSONPathError) in
      try PaymentAnswer(json: json, configuration: configuration).reading()
    }
  }

  /// Refused here: Futa takes the money by itself.
  public func capture(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    throw .notDocumented("capture", at: "Futa")
  }

  /// Refused here: how a payment is given back is not documented. A refund made with Futa itself
  /// shows in the payment's state.
  public func refund(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    throw .notDocumented("refund", at: "Futa")
  }

  /// Refused here: an unpaid payment is left to its `expires_at`.
  public func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    throw .notDocumented("close", at: "Futa")
  }

  /// Checks the signature over the raw bytes and finds the payment's id. An account without a
  /// webhook secret takes no delivery.
  public func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection {
    inspectWebhook(request, receivedAt: clock.now())
  }

  /// Checks a delivery that came at that time.
  public func inspectWebhook(
    _ request: HTTPRequest, receivedAt time: Instant
  ) -> WebhookInspection {
    PaymentDelivery(
      configuration.settings.webhook, referenceName: "merchant_reference", mode: mode,
      hashing: hashing
    ).inspection(request, now: time)
  }

  /// The one that carries the signature.
  public var webhookHeaders: [String] { configuration.settings.webhook.map { [$0.header] } ?? [] }

  /// What the payment in a delivery's body says, read as an answer is. It bears no time of its
  /// own.
  public func webhookProof(_ body: [UInt8], of payment: ProviderPaymentID) -> WebhookProof? {
    guard let object = try? configuration.settings.webhook?.payment(in: body),
      let reading = try? PaymentAnswer(json: object, configuration: configuration).reading(),
      reading.providerPaymentID == payment
    else { return nil }
    return WebhookProof(reading: reading, occurredAt: nil, supplementsRead: false)
  }

  /// A signed body counts as its inspection says.
  private var proofs: Set<ProviderCapabilities.Proof> {
    configuration.settings.webhook?.mayProve(in: mode) == true ? [.read, .signedWebhook] : [.read]
  }
}

// MARK: Calls

extension FutaProvider {
  private var api: ProviderAPI {
    let settings = configuration.settings
    let key = configuration.secretKey.reveal()
    let scheme = settings.authorizationScheme
    return ProviderAPI(
      transport, baseURL: configuration.baseURL + settings.paymentsPath,
      headers: [settings.authorizationHeader: scheme.isEmpty ? key : "\(scheme) \(key)"],
      check: AnswerCheck(
        secrets: [configuration.secretKey] + (settings.webhook?.secrets ?? []),
        successes: [200, 201], errorCodePath: settings.errorCodePath))
  }
}

/// Quick while the payer is at the page, then every two minutes while a bank or a phone company
/// may still answer, then hourly: no rate and no deadline of Futa's is documented.
private let futaReadSchedule: [Duration] =
  [2, 5, 15, 30, 60].map { .seconds($0) } + Array(repeating: .seconds(120), count: 30)
  + [.seconds(3_600)]
