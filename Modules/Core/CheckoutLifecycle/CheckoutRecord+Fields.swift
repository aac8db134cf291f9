import PaymentModels

/// A stored checkout that cannot be read back.
public struct CheckoutRecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field that is missing or wrong.
  public let field: CheckoutRecord.Field

  /// Which field; never its value.
  public var description: String { "stored checkout: field \(field.rawValue) is missing or wrong" }
}

extension CheckoutRecord {
  /// The keys under which a device store keeps a record. Frozen: stores of installed apps hold
  /// them; a new one may be added, none may change or go.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    /// ``CheckoutRecord/key``; always there.
    case key
    /// ``CheckoutRecord/revision``, decimal; always there.
    case revision
    /// ``CheckoutRecord/stage``; always there.
    case stage
    /// Provider of the request; always there.
    case provider
    /// ``CheckoutRecord/strategy``; always there.
    case strategy
    /// ``CheckoutRecord/createdAt``, milliseconds since 1970, decimal; always there.
    case createdAt = "created_at"
    /// Items of the request: `product*quantity`, percent-encoded, joined by commas.
    case purchaseItems = "purchase_items"
    /// Order of the request; beside items, the order that they are the new cart of.
    case purchaseOrderID = "purchase_order_id"
    /// The kit's payment id; the fields from here on are there once the payment is known.
    case paymentID = "payment_id"
    /// The payment's order.
    case orderID = "order_id"
    /// The provider's id, if known.
    case providerPaymentID = "provider_payment_id"
    /// The hosted page, if there is one.
    case checkoutURL = "checkout_url"
    /// Return URL after paying.
    case returnSuccess = "return_success"
    /// Return URL after giving up.
    case returnCancel = "return_cancel"
    /// Return URL after a refusal.
    case returnFailure = "return_failure"
    /// The proven outcome, if any.
    case outcome
    /// The secret that the provider's document has the app hold, if any; gone once settled.
    case verificationKey = "verification_key"
    /// ``CheckoutRecord/settledAt``, milliseconds since 1970, decimal.
    case settledAt = "settled_at"
  }

  /// The record as texts, in the order of ``Field``; what is not known is left out.
  public var fields: [(field: Field, value: String)] {
    Field.allCases.compactMap { field in value(of: field).map { (field, $0) } }
  }

  private func value(of field: Field) -> String? {
    switch field {
    case .key: key.rawValue
    case .revision: String(revision)
    case .stage: stage.rawValue
    case .provider: request.provider.rawValue
    case .strategy: strategy.rawValue
    case .createdAt: String(createdAt.milliseconds)
    case .purchaseItems: request.purchase.itemsText
    case .purchaseOrderID: request.purchase.orderText
    case .paymentID: payment?.paymentID.rawValue
    case .orderID: payment?.orderID.rawValue
    case .providerPaymentID: payment?.providerPaymentID?.rawValue
    case .checkoutURL: payment?.checkoutURL
    case .returnSuccess: payment?.returnURLs.success
    case .returnCancel: payment?.returnURLs.cancel
    case .returnFailure: payment?.returnURLs.failure
    case .outcome: outcome?.stored
    case .verificationKey: payment?.verificationKey?.reveal()
    case .settledAt: settledAt.map { String($0.milliseconds) }
    }
  }

  /// Reads back what ``fields`` wrote.
  ///
  /// - Throws: ``CheckoutRecordError``, which names the field.
  public init(fields: [Field: String]) throws(CheckoutRecordError) {
    let reader = FieldReader(fields: fields)
    let strategy = try reader.read(.strategy) { PresentationStrategy(rawValue: $0) }
    let request = CheckoutRequest(
      provider: try reader.read(.provider) { ProviderName($0) },
      purchase: try reader.purchase())
    self.init(
      key: try reader.read(.key) { CheckoutKey($0) }, request: request, strategy: strategy,
      createdAt: Instant(milliseconds: try reader.read(.createdAt) { Int64($0) }))
    revision = try reader.read(.revision) { text in
      Int64(text).flatMap { (1...Self.revisionMax).contains($0) ? $0 : nil }
    }
    stage = try reader.read(.stage) { Stage(rawValue: $0) }
    payment = try reader.payment()
    if fields[.outcome] != nil {
      outcome = try reader.read(.outcome) { CheckoutOutcome(stored: $0) }
    }
    if fields[.settledAt] != nil {
      settledAt = Instant(milliseconds: try reader.read(.settledAt) { Int64($0) })
    }
    if stage != .intent, payment == nil { throw CheckoutRecordError(field: .paymentID) }
    if stage == .settled, outcome?.isProven != true { throw CheckoutRecordError(field: .outcome) }
  }
}

private struct FieldReader {
  let fields: [CheckoutRecord.Field: String]

  func read<Value>(
    _ field: CheckoutRecord.Field, _ parse: (String) -> Value?
  ) throws(CheckoutRecordError) -> Value {
    guard let text = fields[field], let value = parse(text) else {
      throw CheckoutRecordError(field: field)
    }
    return value
  }

  func purchase() throws(CheckoutRecordError) -> CheckoutRequest.Purchase {
    let id = fields[.purchaseOrderID].map { OrderID($0) }
    if let id, fields[.purchaseItems] == nil { return .order(id) }
    let items = try read(.purchaseItems) { CheckoutRequest.Purchase.items(text: $0) }
    return id.map { .edited($0, items) } ?? .items(items)
  }

  func payment() throws(CheckoutRecordError) -> CheckoutPayment? {
    guard let id = fields[.paymentID] else { return nil }
    return CheckoutPayment(
      paymentID: PaymentID(id), orderID: try read(.orderID) { OrderID($0) },
      providerPaymentID: fields[.providerPaymentID].map { ProviderPaymentID($0) },
      checkoutURL: fields[.checkoutURL],
      returnURLs: ReturnURLs(
        success: try read(.returnSuccess) { $0 }, cancel: try read(.returnCancel) { $0 },
        failure: try read(.returnFailure) { $0 }),
      verificationKey: fields[.verificationKey].map { Secret($0) })
  }
}

extension CheckoutRequest.Purchase {
  fileprivate var itemsText: String? {
    let items: [CheckoutRequest.Item]
    switch self {
    case .items(let all), .edited(_, let all): items = all
    case .order: return nil
    }
    return items.map { "\(PercentText.encode($0.productID))*\($0.quantity)" }
      .joined(separator: ",")
  }

  fileprivate var orderText: String? {
    switch self {
    case .order(let id), .edited(let id, _): id.rawValue
    case .items: nil
    }
  }

  fileprivate static func items(text: String) -> [CheckoutRequest.Item]? {
    var items: [CheckoutRequest.Item] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "*", omittingEmptySubsequences: false)
      guard halves.count == 2, let id = PercentText.decode(halves[0]),
        let quantity = Int64(halves[1])
      else { return nil }
      items.append(CheckoutRequest.Item(productID: id, quantity: quantity))
    }
    return items
  }
}
