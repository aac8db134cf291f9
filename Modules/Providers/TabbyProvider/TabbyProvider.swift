public import HTTPExchange
public import KitEnvironment
public import PaymentModels
public import ProviderInterface
import StrictJSON

/// Tabby, pay in instalments, for one account.
///
/// It maps Tabby's API to ``PaymentProvider`` and keeps nothing: no state, no retries. Each
/// method sends one request at most. Docs/Providers/tabby.md says what each answer proves.
///
/// ```swift
/// let tabby = TabbyProvider(
///   configuration, transport: CurlTransport(), hashing: environment.hashing)
/// let reading = try await tabby.read(paymentID)
/// ```
public struct TabbyProvider: PaymentProvider {
  /// The account that it speaks for.
  public let configuration: TabbyConfiguration
  private let transport: any HTTPTransport
  private let hashing: Hashing

  /// Speaks for an account through `transport`.
  ///
  /// - Parameter hashing: for its comparison in constant time.
  public init(
    _ configuration: TabbyConfiguration, transport: any HTTPTransport, hashing: Hashing
  ) {
    self.configuration = configuration
    self.transport = transport
    self.hashing = hashing
  }

  /// Always ``PaymentModels/ProviderName/tabby``.
  public var name: ProviderName { .tabby }
  /// The account's name.
  public var account: ProviderAccount { configuration.account }
  /// What the key's prefix says.
  public var mode: PaymentMode { configuration.mode }

  /// No key for a create; money is held, then captured.
  ///
  /// Tabby knows a call that cancels a session, but what it takes and answers is documented
  /// nowhere, so an unpaid payment is left to expire by itself.
  public var capabilities: ProviderCapabilities {
    ProviderCapabilities(
      createHasIdempotencyKey: false, capture: .separate, close: .authorized, refund: .partial,
      webhook: configuration.webhookHeader == nil ? .unsigned : .staticHeader,
      webhookSetup: .api(webhooksMax: tabbyWebhooksMax), listing: .holdingMoney,
      unpaidEnds: ["REJECTED", "EXPIRED", "CLOSED without captures"],
      readSchedule: tabbyReadSchedule,
      readsPerMinute: mode == .live ? tabbyLiveReadsPerMinute : tabbyTestReadsPerMinute,
      currencies: configuration.region.currencies,
      currencyNote: TabbyRegion.allCases.map { $0.currencies.sorted().joined(separator: ", ") }
        .joined(separator: " or "))
  }

  /// Builds the body of `POST /api/v2/checkout`; equal terms give equal bytes.
  ///
  /// - Throws: ``ProviderError`` of kind `refused` for a currency of another region, a total that
  ///   is not positive or not the sum of the lines, a language but `en` and `ar`, a buyer without
  ///   name, email or usable phone, a return URL of more than 255 bytes.
  public func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8] {
    try CheckoutRequest(configuration: configuration, terms: terms).bytes()
  }

  /// Makes a session and its payment. Tabby has no key for it: a repeat makes another payment.
  ///
  /// If Tabby rejects the payer, the answer has no page and says why, and its reading is
  /// `rejected` although the payment itself may say CREATED: without a page nobody can pay it.
  public func create(
    _ request: [UInt8], idempotencyKey: String
  ) async throws(ProviderError) -> CreatedPayment {
    let json = try await api.send("POST", "/api/v2/checkout", body: request)
    return try api.check.map { () throws(JSONPathError) in
      try SessionAnswer(json: json, mode: mode).created()
    }
  }

  /// Reads a payment: the only proof of its state that Tabby gives.
  ///
  /// - Throws: ``ProviderError`` of kind `refused`, before anything is sent, if `id` is not a
  ///   UUID: it becomes part of a path that the secret key opens.
  public func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    try await paymentCall("GET", id)
  }

  /// Takes held money. After the full amount Tabby closes the payment.
  public func capture(
    _ request: ProviderOperation
  ) async throws(ProviderError) -> PaymentReading {
    try await operate("captures", request)
  }

  /// Gives captured money back. Tabby refuses it until the payment is closed.
  public func refund(
    _ request: ProviderOperation
  ) async throws(ProviderError) -> PaymentReading {
    try await operate("refunds", request)
  }

  /// Closes a payment: what is not captured goes back to the payer.
  ///
  /// A second close is `refused` (`already closed`); a read tells what the first one did.
  public func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    try await paymentCall("POST", id, "/close")
  }

  /// Compares the static header with each configured value and finds the payment's id.
  ///
  /// An account without a header, which only a test key may have, takes every delivery and gives
  /// no `matchedSecret`. The body says which payment to read, and nothing more.
  public func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection {
    WebhookDelivery(request: request, header: configuration.webhookHeader, hashing: hashing)
      .inspection()
  }
}

// MARK: Calls

extension TabbyProvider {
  /// No status but 200 is a success: Tabby documents it for every call, and says `errorType` with
  /// its own errors.
  var api: ProviderAPI {
    let header = configuration.webhookHeader?.values ?? []
    return ProviderAPI(
      transport, baseURL: configuration.baseURL,
      headers: ["Authorization": "Bearer \(configuration.secretKey.reveal())"],
      check: AnswerCheck(
        secrets: [configuration.secretKey] + header, successes: [200], errorCodePath: "errorType"))
  }

  /// Sends one request about a payment and reads the payment that every such call answers with.
  func paymentCall(
    _ method: String, _ id: ProviderPaymentID, _ suffix: String = "", body: [UInt8] = []
  ) async throws(ProviderError) -> PaymentReading {
    guard isCanonicalUUID(id.rawValue) else {
      throw ProviderError(.refused, detail: "the payment id is not a UUID; nothing was sent")
    }
    let json = try await api.send(method, "/api/v2/payments/\(id)\(suffix)", body: body)
    return try api.check.reading(of: id) { () throws(JSONPathError) in
      try PaymentAnswer(json: json).reading()
    }
  }

  private func operate(
    _ resource: String, _ request: ProviderOperation
  ) async throws(ProviderError) -> PaymentReading {
    try checkPayable(request.amount, currencies: configuration.region.currencies)
    var members = [
      JSONMember(name: "amount", value: .string(request.amount.decimal)),
      JSONMember(name: "reference_id", value: .string(request.reference.rawValue)),
    ]
    // A capture has no such member.
    if resource == "refunds", let reason = request.reason {
      members.append(JSONMember(name: "reason", value: .string(reason)))
    }
    return try await paymentCall(
      "POST", request.providerPaymentID, "/\(resource)",
      body: JSONValue.object(members).serialized())
  }
}

/// Quick while the payer is at the page, then every two minutes as Tabby advises (*Payment
/// processing*) until well past the 30 to 40 minutes in which CREATED ends, then hourly: Tabby
/// sends no webhook for an expiry, and CREATED is never final.
private let tabbyReadSchedule: [Duration] =
  [2, 5, 15, 30, 60].map { .seconds($0) } + Array(repeating: .seconds(120), count: 20)
  + [.seconds(3_600)]

/// Tabby grants a live key 100 calls a second and a test key 50, but for new sessions (*Technical
/// guide*, rate limits); a tenth is left to captures, refunds and closes.
private let tabbyLiveReadsPerMinute = 5_400
private let tabbyTestReadsPerMinute = 2_700
