public import PaymentModels
public import StrictJSON

/// A payment as the API shows it: the answer to a create, and to `GET /v1/payments/{id}`.
public struct PaymentView: Hashable, Sendable {
  /// The kit's id.
  public var paymentID: PaymentID
  /// The order that it is to pay.
  public var orderID: OrderID
  /// 1 for the order's first payment.
  public var attempt: Int
  /// At which provider.
  public var provider: ProviderName
  /// The provider's id, once known.
  public var providerPaymentID: ProviderPaymentID?
  /// Its state; `creating` while the provider's answer to the create is not known.
  public var state: State
  /// Where the order stands.
  public var orderState: OrderState
  /// The amount.
  public var amount: Money
  /// Minor units captured.
  public var captured: Int64
  /// Minor units refunded or charged back.
  public var refunded: Int64
  /// The hosted page; only while the payment can be paid.
  public var checkoutURL: String?
  /// A secret of this payment that the provider's document has the app hold; only for the payer's
  /// own app, and only beside a page.
  public var verificationKey: Secret?
  /// Where the page sends the payer.
  public var returnURLs: ReturnURLs
  /// The provider's word for a refusal.
  public var rejectionReason: String?
  /// When the payer's time runs out.
  public var expiresAt: Instant?
  /// Whether this is what the provider says now; false if it could not be asked.
  public var isFresh: Bool
  /// Grows with every change; the ETag.
  public var version: Int64

  /// A payment's state on the wire.
  public enum State: Hashable, Sendable {
    /// The create is stored; the provider has not answered yet.
    case creating
    /// As the provider has proven it.
    case known(PaymentStatus)
  }

  /// Collects the view.
  public init(
    paymentID: PaymentID, orderID: OrderID, attempt: Int, provider: ProviderName,
    providerPaymentID: ProviderPaymentID?, state: State, orderState: OrderState, amount: Money,
    captured: Int64, refunded: Int64, checkoutURL: String?, returnURLs: ReturnURLs,
    rejectionReason: String?, expiresAt: Instant?, isFresh: Bool, version: Int64,
    verificationKey: Secret? = nil
  ) {
    self.paymentID = paymentID
    self.orderID = orderID
    self.attempt = attempt
    self.provider = provider
    self.providerPaymentID = providerPaymentID
    self.state = state
    self.orderState = orderState
    self.amount = amount
    self.captured = captured
    self.refunded = refunded
    self.checkoutURL = checkoutURL
    self.returnURLs = returnURLs
    self.rejectionReason = rejectionReason
    self.expiresAt = expiresAt
    self.isFresh = isFresh
    self.version = version
    self.verificationKey = verificationKey
  }
}

extension PaymentView {
  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue {
    var members: [JSONMember] = []
    tell { members.append(JSONMember(name: $0, value: $1)) }
    return .object(members)
  }

  /// The text of ``json``, without the detour.
  public var text: [UInt8] { JSONValue.text(tell) }

  private func tell(_ member: (String, JSONValue) -> Void) {
    member("payment_id", .string(paymentID.rawValue))
    member("order_id", .string(orderID.rawValue))
    member("attempt", .integer(attempt))
    member("provider", .string(provider.rawValue))
    member("provider_payment_id", .optional(providerPaymentID?.rawValue))
    member("state", .string(stateText))
    member("order_state", .string(orderState.rawValue))
    member("amount", .string(amount.decimal))
    member("currency", .string(amount.currency.code))
    member("exponent", .integer(amount.currency.exponent))
    member("captured", .string(decimal(captured)))
    member("refunded", .string(decimal(refunded)))
    member("checkout_url", .optional(checkoutURL))
    member("verification_key", .optional(verificationKey?.reveal()))
    member(
      "return_urls",
      .object([
        "success": .string(returnURLs.success), "cancel": .string(returnURLs.cancel),
        "failure": .string(returnURLs.failure),
      ]))
    member("rejection_reason", .optional(rejectionReason))
    member("expires_at", .optional(expiresAt?.description))
    member("fresh", .bool(isFresh))
    member("version", .integer(version))
  }

  /// Reads a view; members that are not known are ignored, so that a client outlives a server
  /// that says more.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let currencyCode = try Self.text(json, "currency")
    guard let exponent = json["exponent"]?.int64.map(Int.init(clamping:)),
      let currency = Currency(code: currencyCode, exponent: exponent)
    else { throw BodyError(path: "currency", "is not a currency") }
    let urls = json["return_urls"] ?? .null
    let stateText = try Self.text(json, "state")
    guard let orderState = OrderState(rawValue: try Self.text(json, "order_state")) else {
      throw BodyError(path: "order_state", "is not known")
    }
    guard let attempt = json["attempt"]?.int64, let version = json["version"]?.int64,
      let isFresh = json["fresh"]?.boolean
    else { throw BodyError(path: "", "lacks attempt, version or fresh") }
    self.init(
      paymentID: PaymentID(try Self.text(json, "payment_id")),
      orderID: OrderID(try Self.text(json, "order_id")), attempt: Int(clamping: attempt),
      provider: ProviderName(try Self.text(json, "provider")),
      providerPaymentID: json["provider_payment_id"]?.text.map { ProviderPaymentID($0) },
      state: stateText == "creating" ? .creating : .known(PaymentStatus(stored: stateText)),
      orderState: orderState,
      amount: try Self.money(json, "amount", currency),
      captured: try Self.money(json, "captured", currency).minorUnits,
      refunded: try Self.money(json, "refunded", currency).minorUnits,
      checkoutURL: json["checkout_url"]?.text,
      returnURLs: ReturnURLs(
        success: try Self.text(urls, "success"), cancel: try Self.text(urls, "cancel"),
        failure: try Self.text(urls, "failure")),
      rejectionReason: json["rejection_reason"]?.text,
      expiresAt: json["expires_at"]?.text.flatMap { Instant(iso8601: $0) }, isFresh: isFresh,
      version: version, verificationKey: json["verification_key"]?.text.map { Secret($0) })
  }

  private var stateText: String {
    switch state {
    case .creating: "creating"
    case .known(let status): status.description
    }
  }

  private func decimal(_ minorUnits: Int64) -> String {
    Money(minorUnits: minorUnits, currency: amount.currency).decimal
  }

  private static func text(_ json: JSONValue, _ name: String) throws(BodyError) -> String {
    guard let text = json[name]?.text else { throw BodyError(path: name, "is missing") }
    return text
  }

  private static func money(
    _ json: JSONValue, _ name: String, _ currency: Currency
  ) throws(BodyError) -> Money {
    let text = try text(json, name)
    do {
      return try Money(decimal: text, currency: currency)
    } catch {
      throw BodyError(path: name, "is not an amount")
    }
  }
}

extension PaymentView {
  /// The form of ``json``.
  static var schema: JSONSchema {
    let url = JSONSchema.text()
    return .object([
      JSONSchema.Member("payment_id", .uuid),
      JSONSchema.Member("order_id", .uuid),
      JSONSchema.Member("attempt", .integer(from: 1)),
      JSONSchema.Member("provider", .text()),
      JSONSchema.Member("provider_payment_id", .text().orNull),
      JSONSchema.Member(
        "state",
        .text(
          pattern: "^(creating|created|pending|authorized|captured|rejected|expired|cancelled"
            + "|unknown:[^$]*)$")),
      JSONSchema.Member("order_state", .orderState),
      JSONSchema.Member("amount", .amount),
      JSONSchema.Member("currency", .currency),
      JSONSchema.Member("exponent", .integer(from: 0, to: 4)),
      JSONSchema.Member("captured", .amount),
      JSONSchema.Member("refunded", .amount.described("By the merchant, or charged back.")),
      JSONSchema.Member(
        "checkout_url", url.orNull.described("The hosted page, while it can be paid there.")),
      JSONSchema.Member(
        "verification_key",
        .text().orNull.described("For the payer's own app, and only beside a page.")),
      JSONSchema.Member(
        "return_urls",
        .object(["success", "cancel", "failure"].map { JSONSchema.Member($0, url) })),
      JSONSchema.Member("rejection_reason", .text().orNull),
      JSONSchema.Member("expires_at", .moment.orNull),
      JSONSchema.Member(
        "fresh", .boolean.described("Whether this is what the provider says now.")),
      JSONSchema.Member("version", .integer(from: 0).described("Grows with every change.")),
    ])
  }
}
