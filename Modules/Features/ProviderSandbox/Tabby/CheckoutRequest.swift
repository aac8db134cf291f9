import HTTPExchange
import StrictJSON

/// The body of `POST /api/v2/checkout`, as far as the real server is known to insist on it.
struct CheckoutRequest: Sendable {
  let merchantCode: String
  let language: String
  let amountText: String
  let currency: String
  let reference: String
  let description: JSONValue
  let buyerName: String
  let buyerEmail: String
  let buyerPhone: String
  /// Members of `payment` that reads give back as they came.
  let echoed: [JSONMember]
  let successURL: String?
  let cancelURL: String?
  let failureURL: String?

  /// Reads the body leniently: types and the few members without which there is no payment.
  init(_ body: JSONValue) throws(TabbyError) {
    guard let payment = body["payment"], payment.members != nil else {
      throw body.members == nil ? .undecodable : .invalid("$.payment")
    }
    amountText = try required(payment["amount"], "$.payment.amount")
    currency = try required(payment["currency"], "$.payment.currency")
    merchantCode = try required(body["merchant_code"], "$.merchant_code")
    language = try optionalText(body, "lang") ?? "en"
    let order = try optionalObject(payment, "order")
    reference = try order.flatMapText("reference_id") ?? ""
    description = .optional(try optionalText(payment, "description"))
    let buyer = try optionalObject(payment, "buyer")
    buyerName = try buyer.flatMapText("name") ?? ""
    buyerEmail = try buyer.flatMapText("email") ?? ""
    buyerPhone = try buyer.flatMapText("phone") ?? ""
    echoed = Self.echoedNames.map {
      JSONMember(name: $0, value: payment[$0] ?? .null)
    }
    let urls = try optionalObject(body, "merchant_urls")
    successURL = try returnURL(urls, "success")
    cancelURL = try returnURL(urls, "cancel")
    failureURL = try returnURL(urls, "failure")
  }

  /// The echoed member of that name.
  func echo(_ name: String) -> JSONValue {
    echoed.first { $0.name == name }?.value ?? .null
  }

  private static let echoedNames = [
    "buyer", "shipping_address", "order", "buyer_history", "order_history", "meta", "attachment",
  ]
}

private func required(_ value: JSONValue?, _ field: String) throws(TabbyError) -> String {
  guard let value, !value.isNull else { throw .invalid(field) }
  guard let text = value.text else { throw .undecodable }
  guard !text.isEmpty, text.count <= SandboxLimits.textMax else { throw .invalid(field) }
  return text
}

private func optionalText(_ object: JSONValue, _ name: String) throws(TabbyError) -> String? {
  guard let value = object[name], !value.isNull else { return nil }
  guard let text = value.text else { throw .undecodable }
  return text
}

private func optionalObject(_ object: JSONValue, _ name: String) throws(TabbyError) -> JSONValue? {
  guard let value = object[name], !value.isNull else { return nil }
  guard value.members != nil else { throw .undecodable }
  return value
}

extension JSONValue? {
  fileprivate func flatMapText(_ name: String) throws(TabbyError) -> String? {
    guard let self else { return nil }
    return try optionalText(self, name)
  }
}

/// A return URL, fit for a `Location` header: letters outside ASCII are percent-encoded.
private func returnURL(_ urls: JSONValue?, _ name: String) throws(TabbyError) -> String? {
  guard let text = try urls.flatMapText(name) else { return nil }
  let bytes = Array(text.utf8)
  let isClean = bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  let scheme = text.prefix { $0 != ":" }
  guard isClean, bytes.count <= SandboxLimits.returnURLBytesMax, isScheme(scheme),
    scheme.utf8.count < bytes.count
  else { throw .invalid("$.merchant_urls.\(name)") }
  return String(
    text.unicodeScalars.map { $0.isASCII ? String($0) : QueryText.encode(String($0)) }.joined())
}

/// Whether `text` is a URL scheme, such as `https` or `com.shop.app`.
private func isScheme(_ text: Substring) -> Bool {
  guard let first = text.utf8.first, isLetter(first) else { return false }
  return text.utf8.allSatisfy {
    isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
  }
}

private func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
