public import PaymentModels
public import PaymentStore

/// Rows for tests; the same number gives the same row, and ids grow with their numbers.
public enum Sample {
  /// A moment that the rows are made at: 2026-09-21T15:33:20Z.
  public static let start = Instant(milliseconds: 1_790_000_000_000)
  /// Two digits.
  public static let aed = currency("AED")

  /// A currency of the standard that the test knows to exist.
  public static func currency(_ code: String) -> Currency {
    guard let currency = Currency(iso4217: code) else { preconditionFailure("no such currency") }
    return currency
  }

  /// A canonical UUID of version 7 in `family`, for ids that must grow with `number`.
  public static func uuid(_ family: Int, _ number: Int) -> String {
    let digits = String(number)
    let tail = String(repeating: "0", count: 12 - digits.count) + digits
    return "01995000-000\(family)-7000-8000-\(tail)"
  }

  /// The id of order `number`.
  public static func orderID(_ number: Int) -> OrderID { OrderID(uuid(1, number)) }
  /// The id of payment `number`.
  public static func paymentID(_ number: Int) -> PaymentID { PaymentID(uuid(2, number)) }
  /// The id of operation `number`.
  public static func operationID(_ number: Int) -> OperationID { OperationID(uuid(3, number)) }
  /// The id of webhook `number`.
  public static func webhookID(_ number: Int) -> WebhookID { WebhookID(uuid(4, number)) }
  /// The id of message `number`.
  public static func messageID(_ number: Int) -> MessageID { MessageID(uuid(5, number)) }

  /// An order of two lines, 150.00 AED.
  public static func order(_ number: Int = 1) -> OrderRow {
    let lines = [
      OrderLine(
        productID: "mug", title: "Mug – blue", category: "home", quantity: 2,
        unitPrice: Money(minorUnits: 2_500, currency: aed)),
      OrderLine(
        productID: "lamp", title: "Lamp", category: "home", quantity: 1,
        unitPrice: Money(minorUnits: 10_000, currency: aed)),
    ]
    return OrderRow(
      id: orderID(number), subject: Subject("buyer-\(number)"), lines: lines,
      total: Money(minorUnits: 15_000, currency: aed), createdAt: start)
  }

  /// Payment `number` as an intent: attempt `attempt` on order `order`.
  public static func payment(_ number: Int = 1, order: Int = 1, attempt: Int = 1) -> PaymentRow {
    PaymentRow(
      id: paymentID(number), orderID: orderID(order), attempt: attempt, provider: .tabby,
      account: ProviderAccount("uae"), mode: .test,
      amount: Money(minorUnits: 15_000, currency: aed), createKey: "key-\(number)",
      createRequest: Array("{\"n\":\(number)}".utf8),
      returnURLs: ReturnURLs(
        success: "https://shop.example/return/success?p=\(number)",
        cancel: "https://shop.example/return/cancel?p=\(number)",
        failure: "https://shop.example/return/failure?p=\(number)"),
      createdAt: start + .seconds(number))
  }

  /// A refund of 10.00 AED on payment `payment`.
  public static func operation(_ number: Int = 1, payment: Int = 1) -> OperationRow {
    OperationRow(
      id: operationID(number), paymentID: paymentID(payment), kind: .refund,
      amount: Money(minorUnits: 1_000, currency: aed), reason: "damaged", createdAt: start)
  }

  /// A delivery that names nothing, with a body and hash of its own.
  public static func webhook(_ number: Int = 1) -> WebhookRow {
    WebhookRow(
      id: webhookID(number), provider: .tabby, account: ProviderAccount("uae"),
      receivedAt: start + .seconds(number), body: Array("body \(number)".utf8),
      bodyHash: "hash-\(number)", providerPaymentID: nil, paymentReference: nil)
  }

  /// `fulfil` number `sequence` of an order.
  public static func message(_ number: Int = 1, order: Int = 1, sequence: Int64 = 1) -> MessageRow {
    MessageRow(
      id: messageID(number), orderID: orderID(order), sequence: sequence, kind: .fulfil,
      paymentID: nil, amount: Money(minorUnits: 15_000, currency: aed), createdAt: start)
  }

  /// A capture that the provider calls `id`.
  public static func item(_ id: String, kind: PaymentItem.Kind = .capture) -> PaymentItem {
    PaymentItem(
      kind: kind, providerItemID: id, reference: "ref-\(id)",
      amount: Money(minorUnits: 5_000, currency: aed), createdAt: start)
  }

  /// An operator's line about an order and a payment.
  public static func entry(order: Int?, payment: Int?, event: String) -> JournalEntry {
    JournalEntry(
      at: start, orderID: order.map(orderID), paymentID: payment.map(paymentID), channel: .operator,
      operatorName: OperatorName("anna"),
      trust: .proof, event: event, change: "created → authorized", note: "first")
  }
}

extension PaymentStore {
  /// Puts order `number` and `payments` attempts on it (numbers `number`, `number` + 100, …).
  public func seed(order number: Int = 1, payments: Int = 1) async throws {
    try await write { transaction in
      try transaction.insertOrder(Sample.order(number))
      for attempt in 0..<payments {
        try transaction.insertPayment(
          Sample.payment(number + attempt * 100, order: number, attempt: attempt + 1))
      }
    }
  }
}
