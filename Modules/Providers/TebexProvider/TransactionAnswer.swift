import PaymentModels
import ProviderInterface
import StrictJSON

/// Maps a payment of the Checkout API, which is also the subject of a payment's webhooks, to the
/// kit's reading.
struct TransactionAnswer {
  private let json: JSONValue
  private let configuration: TebexConfiguration

  /// - Parameter answer: the payment, or an object that has it under `data`.
  init(_ answer: JSONValue, _ configuration: TebexConfiguration) {
    json = unwrapped(answer)
    self.configuration = configuration
  }

  /// Numbers of a payment's status.
  private enum Status {
    static let complete: Int64 = 1
    static let refunded: Int64 = 2
    static let chargedBack: Int64 = 3
    static let declined: Int64 = 18
    static let pendingCheckout: Int64 = 19
    static let refundPending: Int64 = 21
  }

  func transactionID() throws(JSONPathError) -> String {
    guard let id = json["transaction_id"]?.text, isToken(id) else {
      throw JSONPathError(path: "transaction_id", "is no id")
    }
    return id
  }

  var custom: Custom? { Custom(json["custom"]) }

  /// Whether a refund was begun or done.
  func isRefunded() throws(JSONPathError) -> Bool {
    let status = try status()
    return status == Status.refunded || status == Status.refundPending
  }

  /// What the payment proves about the basket that it paid.
  ///
  /// - Parameter topic: what a webhook is about. A dispute that ended for us gives back what was
  ///   taken: the same movement with nothing in it.
  func reading(
    of ident: ProviderPaymentID, topic: WebhookTopic? = nil
  ) throws(JSONPathError) -> PaymentReading {
    var dispute: DisputeStanding?
    if case .dispute(let standing) = topic { dispute = standing }
    let id = try transactionID()
    let status = try status()
    let amount = try amount()
    let custom = custom
    var items: [PaymentItem] = []
    if let amount, takesMoney(status) {
      items.append(captureItem(of: ident, amount))
      switch status {
      case Status.refunded: items.append(item(.refund, of: id, amount))
      case Status.chargedBack: items.append(item(.chargeback, of: id, amount))
      case Status.complete where dispute == .won || dispute == .closed:
        items.append(item(.chargeback, of: id, .zero(amount.currency)))
      default: break
      }
    }
    return PaymentReading(
      providerPaymentID: ident, status: try paymentStatus(status), amount: amount,
      orderReference: custom?.orderID, paymentReference: custom?.paymentID, mode: try mode(),
      items: items, transactionID: id, dispute: dispute, modeWait: configuration.modeWait,
      isForOtherGoods: takesMoney(status) ? try isForOtherGoods(custom) : false,
      contradiction: contradiction(topic, status))
  }

  /// An event that speaks of money going back about a payment that calls itself complete. Nobody
  /// knows how much went back, so nothing is booked.
  private func contradiction(_ topic: WebhookTopic?, _ status: Int64) -> String? {
    guard status == Status.complete, topic == .refunded || topic == .dispute(.lost) else {
      return nil
    }
    return "the event says that money went back, the payment in it says complete"
  }

  private func status() throws(JSONPathError) -> Int64 {
    let value = try json.at("status.id")
    guard let id = wholeNumber(value) else {
      throw JSONPathError(path: "status.id", "is no whole number")
    }
    return id
  }

  /// A refund and a charge-back are movements beside what was captured, never another state. A
  /// declined payment is one try: the basket may still be paid.
  private func paymentStatus(_ id: Int64) throws(JSONPathError) -> PaymentStatus {
    if takesMoney(id) { return .captured }
    if id == Status.declined || id == Status.pendingCheckout { return .pending }
    let word = json.find("status.description")?.text ?? ""
    return .unknown(unknownWord(word.isEmpty ? "\(id)" : "\(id) \(word)"))
  }

  private func takesMoney(_ id: Int64) -> Bool {
    [Status.complete, Status.refunded, Status.chargedBack, Status.refundPending].contains(id)
  }

  /// All of it goes back at once: Tebex knows no part of a refund.
  private func item(_ kind: PaymentItem.Kind, of id: String, _ amount: Money) -> PaymentItem {
    PaymentItem(
      kind: kind, providerItemID: "\(id).\(kind.rawValue)", reference: nil, amount: amount,
      createdAt: nil)
  }

  /// Real money, unless the method is the one that a store's panel offers for tests; nil if no
  /// method is named.
  private func mode() throws(JSONPathError) -> PaymentMode? {
    guard let name = json.find("payment_method.name")?.text, !name.isEmpty else { return nil }
    return asciiLowercased(name) == "test payments" ? .test : .live
  }

  /// What the products cost before tax and reductions, which is what a basket calls its base
  /// price; nil if the payment names no amount at all.
  ///
  /// Whether a product's `base_price` is for one piece or for all of them is not documented, so
  /// either may be what was asked for, as long as the goods are. Without products the payment's own
  /// price counts.
  private func amount() throws(JSONPathError) -> Money? {
    guard let stated = json.find("price") else { return nil }
    let price = try price(stated, path: "price")
    var (ofPieces, ofLines) = (Money.zero(price.currency), Money.zero(price.currency))
    let products = try json.elements(at: "products")
    for (index, product) in products.enumerated() {
      let path = "products.\(index)"
      guard let base = product["base_price"], !base.isNull else { return price }
      let one = try self.price(base, path: "\(path).base_price")
      let pieces = try quantity(of: product, path: path)
      guard let all = one.multiplied(by: pieces).flatMap(ofPieces.adding),
        let sum = ofLines.adding(one)
      else {
        throw JSONPathError(path: path, "is in another currency than the price, or too large")
      }
      (ofPieces, ofLines) = (all, sum)
    }
    if products.isEmpty { return price }
    let isAsked = try !isForOtherGoods(custom)
    return isAsked && ofLines == custom?.price ? ofLines : ofPieces
  }

  private func price(_ value: JSONValue, path: String) throws(JSONPathError) -> Money {
    guard let currency = value["currency"]?.text?.knownCurrency else {
      throw JSONPathError(path: "\(path).currency", "is no known currency")
    }
    guard let amount = value["amount"] else {
      throw JSONPathError(path: "\(path).amount", "is missing")
    }
    return try money(amount, currency, path: "\(path).amount")
  }

  private func isForOtherGoods(_ custom: Custom?) throws(JSONPathError) -> Bool {
    let products = try json.elements(at: "products")
    if products.isEmpty { return false }
    var lines: [Goods.Line] = []
    for (index, product) in products.enumerated() {
      guard let id = Goods.id(product["id"]) else { return true }
      let pieces = try quantity(of: product, path: "products.\(index)")
      lines.append(Goods.Line(id: id, quantity: pieces))
    }
    guard let custom, let goods = Goods(lines) else { return true }
    return goods != custom.goods
  }

  /// How many pieces of a product; one where nothing is said.
  private func quantity(of product: JSONValue, path: String) throws(JSONPathError) -> Int64 {
    guard let stated = product.find("quantity") else { return 1 }
    guard let pieces = wholeNumber(stated), pieces >= 1 else {
      throw JSONPathError(path: "\(path).quantity", "is no count")
    }
    return pieces
  }
}
