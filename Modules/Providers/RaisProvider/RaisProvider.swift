public import HTTPExchange
public import KitEnvironment
public import PaymentModels
public import ProviderInterface
import StrictJSON

/// Raïs, card payments with 3-D Secure on a hosted page, for one account.
///
/// It maps Raïs' API to ``PaymentProvider`` and keeps nothing: no state, no retries. Each method
/// sends one request at most. Docs/Providers/rais.md says what each answer proves and what had to
/// be assumed.
///
/// ```swift
/// let rais = RaisProvider(configuration, transport: CurlTransport(), environment: environment)
/// let reading = try await rais.read(paymentID)
/// ```
public struct RaisProvider: PaymentProvider {
  /// The account that it speaks for.
  public let configuration: RaisConfiguration
  private let transport: any HTTPTransport
  private let hashing: Hashing
  private let clock: KitClock

  /// Speaks for an account through `transport`.
  ///
  /// - Parameter environment: its clock, for the age of webhooks, and its hash functions.
  public init(
    _ configuration: RaisConfiguration, transport: any HTTPTransport, environment: KitEnvironment
  ) {
    self.configuration = configuration
    self.transport = transport
    hashing = environment.hashing
    clock = environment.clock
  }

  /// Always ``PaymentModels/ProviderName/rais``.
  public var name: ProviderName { .rais }
  /// The account's name.
  public var account: ProviderAccount { configuration.account }
  /// What the key's beginning says.
  public var mode: PaymentMode { configuration.mode }

  /// A create has a key, so a lost one is found again. Money is taken at once; nothing is
  /// documented by which we could hold, cancel or give back.
  public var capabilities: ProviderCapabilities {
    ProviderCapabilities(
      createHasIdempotencyKey: true, capture: .automatic, close: .none, refund: .none,
      webhook: .signed,
      webhookSetup: .byHand(place: "with Raïs itself, whose page does not say where"),
      paidProofs: proofs, undoneProofs: [], unpaidEnds: configuration.states.all,
      readSchedule: raisReadSchedule, currencies: [configuration.amounts.currency.code],
      currencyNote: "one, by setting")
  }

  /// Builds the body of a create; equal terms give equal bytes.
  ///
  /// - Throws: ``ProviderError`` of kind `refused` for another currency, a total that is not
  ///   positive, not the sum of the lines or no whole number on the wire, and a return URL that
  ///   is http with a live key or none at all.
  public func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8] {
    try CheckoutRequest(configuration: configuration, terms: terms).bytes()
  }

  /// Makes a payment, or finds the one that the same key and bytes have made.
  ///
  /// The key names the attempt and not the order: a new payment for the same order needs a new
  /// one, else Raïs gives the old payment again.
  public func create(
    _ request: [UInt8], idempotencyKey: String
  ) async throws(ProviderError) -> CreatedPayment {
    let json = try await api.send(
      "POST", "/payments", headers: ["Idempotency-Key": idempotencyKey], body: request)
    return try api.check.created { () throws(JSONPathError) in
      let answer = PaymentAnswer(json: json, configuration: configuration)
      return (try answer.reading(isCreated: true), try answer.checkoutURL())
    }
  }

  /// Reads a payment: the proof of its state.
  ///
  /// - Throws: ``ProviderError`` of kind `refused`, before anything is sent, if `id` could not be
  ///   one of Raïs': it becomes part of a path that the secret key opens.
  public func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    guard isToken(id.rawValue) else {
      throw ProviderError(.refused, detail: "the payment id is none of Raïs'; nothing was sent")
    }
    let json = try await api.send("GET", "/payments/\(id)")
    return try api.check.reading(of: id) { () throws(JSONPathError) in
      try PaymentAnswer(json: json, configuration: configuration).reading()
    }
  }

  /// Refused here: Raïs takes the money by itself.
  public func capture(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    throw .notDocumented("capture", at: "Raïs")
  }

  /// Refused here: how a payment is given back is not documented.
  public func refund(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    throw .notDocumented("refund", at: "Raïs")
  }

  /// Refused here: an unpaid payment is left to its `expires_at`.
  public func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    throw .notDocumented("close", at: "Raïs")
  }

  /// Checks the signature over the raw bytes and finds the payment's id. An account without a
  /// webhook secret, which only a test key may have, takes no delivery.
  public func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection {
    inspectWebhook(request, receivedAt: clock.now())
  }

  /// Checks a delivery that came at that time.
  public func inspectWebhook(
    _ request: HTTPRequest, receivedAt time: Instant
  ) -> WebhookInspection {
    PaymentDelivery(
      configuration.settings.webhook, referenceName: "reference", mode: mode, hashing: hashing
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

extension RaisProvider {
  private var api: ProviderAPI {
    let settings = configuration.settings
    return ProviderAPI(
      transport, baseURL: settings.baseURL,
      headers: ["Authorization": "Bearer \(configuration.secretKey.reveal())"],
      check: AnswerCheck(
        secrets: [configuration.secretKey] + (settings.webhook?.secrets ?? []),
        successes: [200, 201], errorCodePath: settings.errorCodePath))
  }
}

/// Quick while the payer is at the page, then every two minutes for an hour, then hourly: neither
/// a rate nor the life of a payment is documented, and a payer may come back until `expires_at`.
private let raisReadSchedule: [Duration] =
  [2, 5, 15, 30, 60].map { .seconds($0) } + Array(repeating: .seconds(120), count: 30)
  + [.seconds(3_600)]
