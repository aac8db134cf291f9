import HTTPExchange
import PaymentModels
import ProviderInterface
import StrictJSON

/// Maps SEB's payment object to the kit's reading. Members that it does not know are ignored. Its
/// errors name the place and never what stood there.
struct PaymentAnswer {
  let json: JSONValue
  let configuration: SEBConfiguration

  /// What the answer says.
  ///
  /// - Parameter isCreated: this answers a create. `INITIALIZED` says there that the payment was
  ///   made; later it may also be said of one that a bank has worked on, so it is `pending`.
  func reading(isCreated: Bool = false) throws(JSONPathError) -> PaymentReading {
    guard let id = json["paymentId"]?.text, isSEBPaymentID(id) else {
      throw JSONPathError(path: "paymentId", "is no id")
    }
    let word = try json.text(at: "paymentStatus")
    let amount = try amount(at: "instructedAmount")
    #if FaultInjection
      if SeededFault.active == .takesProcessingForPaid, word == "SENT_FOR_PROCESSING" {
        let id = ProviderPaymentID(id)
        return PaymentReading(providerPaymentID: id, status: .pending, amount: amount).asPaid
      }
    #endif
    let (status, isRefunded) = status(of: word, isCreated: isCreated)
    return PaymentReading(
      providerPaymentID: ProviderPaymentID(id), status: status, amount: amount,
      orderReference: text("merchantReference"), paymentReference: text("orderNumber"),
      items: try items(status, isRefunded: isRefunded, id, whole: amount))
  }

  /// The hosted page, opaque and as issued; nil if there is none. Whether it stands flat or among
  /// the links is not documented.
  func checkoutURL() throws(JSONPathError) -> String? {
    let flat = json["checkoutRedirect"] ?? .null
    let value = flat.isNull ? json.find("_links.checkoutRedirect.href") ?? .null : flat
    guard !value.isNull else { return nil }
    guard let url = value.text, let origin = webOrigin(of: url),
      origin.hasPrefix("https:") || configuration.mode == .test
    else { throw JSONPathError(path: "checkoutRedirect", "is no address of a page") }
    return withHint(url)
  }

  /// The payment's own secret; nil if there is none.
  func verificationKey() throws(JSONPathError) -> Secret? {
    let key = json["verificationKey"] ?? .null
    if key.isNull, !configuration.settings.requiresVerificationKey { return nil }
    guard let text = key.text, isVisible(text), text.utf8.count <= verificationKeyBytesMax else {
      throw JSONPathError(path: "verificationKey", "is no key")
    }
    return Secret(text)
  }

  /// A hint is appended only if SEB knows the method and the parameter's name is known to us: what
  /// is not understood could break the page's address.
  private func withHint(_ url: String) -> String {
    let settings = configuration.settings
    guard let name = settings.methodHintParameter,
      let hint = settings.preferredMethod.flatMap(SEBMethodHint.init(rawValue:))
    else { return url }
    return QueryText.append(name, hint.rawValue, to: url)
  }

  private func status(
    of word: String, isCreated: Bool
  ) -> (status: PaymentStatus, isRefunded: Bool) {
    let states = configuration.states
    let isWord = { (words: [String]) in
      words.contains { asciiLowercased($0) == asciiLowercased(word) }
    }
    if isWord(["INITIALIZED"]) { return (isCreated ? .created : .pending, false) }
    if isWord(["SENT_FOR_PROCESSING"]) { return (.pending, false) }
    if isWord(states.authorized) { return (.authorized, false) }
    if isWord(states.captured) { return (.captured, false) }
    if isWord(states.refunded) { return (.captured, true) }
    if isWord(states.failed) { return (.rejected, false) }
    if isWord(states.cancelled) { return (.cancelled, false) }
    if isWord(states.expired) { return (.expired, false) }
    return (.unknown(unknownWord(word)), false)
  }

  /// SEB lists no movements of money that are known. What the payment says of its sums becomes one
  /// capture and one refund, under ids of their own, whose amounts grow: a second read adds
  /// nothing.
  private func items(
    _ status: PaymentStatus, isRefunded: Bool, _ id: String, whole: Money?
  ) throws(JSONPathError) -> [PaymentItem] {
    let paths = configuration.operations
    let statedCapture = try paths.capturedAmountPath.map(amount(at:)) ?? nil
    let statedRefund = try paths.refundedAmountPath.map(amount(at:)) ?? nil
    let captured = statedCapture ?? (status == .captured ? whole : nil)
    let refunded = statedRefund ?? (isRefunded ? captured : nil)
    let sums: [(kind: PaymentItem.Kind, id: String, sum: Money?)] = [
      (.capture, id, captured), (.refund, "\(id)-refunded", refunded),
    ]
    return sums.compactMap { entry in
      guard let sum = entry.sum, sum.minorUnits > 0 else { return nil }
      return PaymentItem(
        kind: entry.kind, providerItemID: entry.id, reference: nil, amount: sum, createdAt: nil)
    }
  }

  /// An amount, whose decimal stands as text or as a number; nil if absent, so that nobody takes it
  /// for zero.
  private func amount(at path: String) throws(JSONPathError) -> Money? {
    guard let value = json.find(path), !value.isNull else { return nil }
    let decimal = try value.decimalText(at: "amount")
    let code = try value.text(at: "currency")
    // An amount of another currency can only come with a payment that is not ours.
    let ours = configuration.currencies.first { $0.code == code }
    guard let currency = ours ?? Currency(iso4217: code) else {
      throw JSONPathError(path: "\(path).currency", "is no currency")
    }
    do {
      return try Money(paddedDecimal: decimal, currency: currency)
    } catch {
      throw JSONPathError(path: "\(path).amount", "is not an amount of its currency")
    }
  }

  /// A text of ours that came back; nil if the member is absent, not a text, or empty.
  private func text(_ name: String) -> String? {
    guard let text = json[name]?.text, !text.isEmpty else { return nil }
    return text
  }
}

/// Whether `text` can be an id of SEB's: it becomes a part of a path that a token opens.
func isSEBPaymentID(_ text: String) -> Bool { isToken(text) && text.utf8.count <= 64 }

// Keys are short; the bound keeps anything else out of the store and the app.
private let verificationKeyBytesMax = 1_024
