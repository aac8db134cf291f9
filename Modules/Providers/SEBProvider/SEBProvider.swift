public import HTTPExchange
public import KitEnvironment
public import PaymentModels
public import ProviderInterface
import StrictJSON

/// SEB e-commerce, cards, banks and Click to Pay on a hosted page, for one account.
///
/// It maps SEB's API to ``PaymentProvider``: no store, no retries. Each method sends one request at
/// most, and one for an access token before it where none is at hand; that token is all that it
/// keeps. Docs/Providers/seb.md says what each answer proves and what had to be assumed.
///
/// ```swift
/// let seb = SEBProvider(configuration, transport: CurlTransport(), environment: environment)
/// let reading = try await seb.read(paymentID)
/// ```
public struct SEBProvider: PaymentProvider {
  /// The account that it speaks for.
  public let configuration: SEBConfiguration
  private let transport: any HTTPTransport
  private let tokens: AccessTokens
  private let newUUID: @Sendable () -> String

  /// Speaks for an account through `transport`.
  ///
  /// Copies of one value share its access token; two values for one account fetch one each.
  ///
  /// - Parameter environment: its ids, one for each request, and its clock, for a token's life.
  public init(
    _ configuration: SEBConfiguration, transport: any HTTPTransport, environment: KitEnvironment
  ) {
    self.configuration = configuration
    self.transport = transport
    tokens = AccessTokens(
      TokenRequest(configuration: configuration), transport: transport, clock: environment.clock)
    newUUID = { environment.newUUID() }
  }

  /// Always ``PaymentModels/ProviderName/seb``.
  public var name: ProviderName { .seb }
  /// The account's name.
  public var account: ProviderAccount { configuration.account }
  /// As configured.
  public var mode: PaymentMode { configuration.mode }

  /// No key for a create: each request has an id of its own, which nobody is told to compare.
  public var capabilities: ProviderCapabilities {
    let operations = configuration.operations
    let refund: ProviderCapabilities.Refund =
      if operations.refundPath == nil { .none } else {
        operations.allowsPartialRefunds ? .partial : .full
      }
    return ProviderCapabilities(
      createHasIdempotencyKey: false, capture: configuration.capture,
      close: operations.cancelPath == nil ? .none : .authorized, refund: refund,
      operationsCarryReference: false, webhook: .unsigned,
      webhookSetup: .byHand(place: "in the merchant portal, under Shop Settings"),
      paidProofs: [.read], undoneProofs: [.read], unpaidEnds: configuration.states.unpaidEnds,
      readSchedule: sebReadSchedule, currencies: Set(configuration.currencies.map(\.code)),
      currencyNote: "by setting")
  }

  /// Builds the body of `POST …/payments/cit`; equal terms give equal bytes.
  ///
  /// - Throws: ``ProviderError`` of kind `refused` for a currency that the account does not take, a
  ///   total that is not positive, not the sum of the lines or of more than 14 digits, and a return
  ///   URL without a scheme.
  public func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8] {
    try CheckoutRequest(configuration: configuration, terms: terms).bytes()
  }

  /// Makes a payment. SEB has no key for it: a repeat makes another payment.
  public func create(
    _ request: [UInt8], idempotencyKey: String
  ) async throws(ProviderError) -> CreatedPayment {
    let json = try await call("POST", configuration.settings.paymentsPath + "/cit", body: request)
    return try check(hiding: []).map { () throws(JSONPathError) in
      let answer = PaymentAnswer(json: json, configuration: configuration)
      let reading = try answer.reading(isCreated: true)
      guard let url = try answer.checkoutURL() else {
        throw JSONPathError(path: "checkoutRedirect", "is missing")
      }
      return CreatedPayment(
        reading: reading, checkoutURL: url, verificationKey: try answer.verificationKey())
    }
  }

  /// Reads a payment: the only proof of its state that SEB gives.
  ///
  /// - Throws: ``ProviderError`` of kind `refused`, before anything is sent, if `id` could not be
  ///   one of SEB's: it becomes part of a path that a token opens.
  public func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    try checkID(id)
    return try reading(
      try await call("GET", "\(configuration.settings.paymentsPath)/\(id)"), of: id)
  }

  /// Takes held money. Refused here where SEB takes it by itself or no path is configured.
  public func capture(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    guard configuration.capture == .separate else {
      throw ProviderError(
        .refused, code: "not_offered",
        detail: "this account's money is taken at once; nothing was sent")
    }
    return try await operate(configuration.operations.capturePath, request)
  }

  /// Gives captured money back. Refused here where no path is configured.
  public func refund(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    try await operate(configuration.operations.refundPath, request)
  }

  /// Lets held money go. Refused here where no path is configured.
  public func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    try await operate(
      configuration.operations.cancelPath, id, ["paymentId": .string(id.rawValue)])
  }

  /// Finds the payment's id. Callbacks are signed by nothing, so every one is a notice that causes
  /// a read, and none is more.
  public func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection {
    WebhookDelivery(request: request).inspection()
  }
}

// MARK: Calls

extension SEBProvider {
  private func check(hiding tokens: [Secret]) -> AnswerCheck {
    let credentials = configuration.credentials
    let path = configuration.settings.errorCodePath
    return AnswerCheck(
      secrets: ([credentials.clientSecret] + tokens).map { $0.reveal() }, successes: [200, 201]
    ) { (try? JSONValue(parsing: $0))?.find(path)?.text.map(asciiLowercased) }
  }

  private func checkID(_ id: ProviderPaymentID) throws(ProviderError) {
    guard isSEBPaymentID(id.rawValue) else {
      throw ProviderError(.refused, detail: "the payment id is none of SEB's; nothing was sent")
    }
  }

  private func operate(
    _ path: String?, _ request: ProviderOperation
  ) async throws(ProviderError) -> PaymentReading {
    try checkPayable(request.amount, configuration)
    return try await operate(
      path, request.providerPaymentID,
      [
        "paymentId": .string(request.providerPaymentID.rawValue),
        "instructedAmount": wireAmount(request.amount),
      ])
  }

  /// Sends an operation. What it answers is not documented: an answer that is not the payment says
  /// nothing, and the caller reads.
  private func operate(
    _ path: String?, _ id: ProviderPaymentID, _ body: KeyValuePairs<String, JSONValue>
  ) async throws(ProviderError) -> PaymentReading {
    try checkID(id)
    guard let path else {
      throw ProviderError(
        .refused, code: "not_configured",
        detail: "the path of this operation is not configured; nothing was sent")
    }
    let json = try await call(
      "POST", path.replacing("{paymentId}", with: id.rawValue),
      body: JSONValue.object(body).serialized())
    return try reading(json, of: id)
  }

  private func reading(
    _ json: JSONValue, of id: ProviderPaymentID
  ) throws(ProviderError) -> PaymentReading {
    try check(hiding: []).reading(of: id) { () throws(JSONPathError) in
      try PaymentAnswer(json: json, configuration: configuration).reading()
    }
  }

  /// Sends one request with a token and gives the JSON of a success.
  ///
  /// A 401 drops the token, so that the next call fetches another. Nothing is sent twice here:
  /// whether a request may be repeated is the caller's decision.
  private func call(
    _ method: String, _ path: String, body: [UInt8] = []
  ) async throws(ProviderError) -> JSONValue {
    let token = try await tokens.token()
    let api = ProviderAPI(
      transport, baseURL: configuration.baseURL,
      headers: ["Authorization": "Bearer \(token.reveal())", "X-Request-Id": newUUID()],
      check: check(hiding: [token]))
    do {
      return try await api.send(method, path, body: body)
    } catch {
      if error.status == 401 { await tokens.drop(token) }
      throw error
    }
  }
}

/// Quick while the payer is at the page, then every two minutes while a bank may still answer, then
/// hourly: neither a rate nor the life of a payment is documented.
private let sebReadSchedule: [Duration] =
  [2, 5, 15, 30, 60].map { .seconds($0) } + Array(repeating: .seconds(120), count: 30)
  + [.seconds(3_600)]
