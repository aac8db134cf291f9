import PaymentModels
import ProviderInterface
import StrictJSON

/// Maps Tabby's session object, the answer to a create.
///
/// A session that Tabby rejects comes with HTTP 200. What the payment's own `status` then is, is
/// not documented. The session can never be paid, because there is no page for it, so a payment
/// that says CREATED (or is already over) is reported as `rejected`. A payment that claims to
/// hold money, or whose word is unknown, keeps its own status: a rejection never hides money.
struct SessionAnswer {
  let json: JSONValue
  /// Of the account: a page is opened without TLS for a test alone.
  let mode: PaymentMode

  func created() throws(JSONPathError) -> CreatedPayment {
    let sessionStatus = try json.text(at: "status")
    var reading = try PaymentAnswer(json: json.at("payment")).reading()
    let isRejected = asciiLowercased(sessionStatus) == "rejected"
    if !isRejected, let url = try checkoutURL() {
      return CreatedPayment(reading: reading, checkoutURL: url)
    }
    guard let reason = rejectionReason ?? (isRejected ? "rejected" : nil) else {
      throw JSONPathError(path: Self.page, "is missing")
    }
    if reading.status == .created || reading.status.isFinalUnpaid { reading.status = .rejected }
    return CreatedPayment(reading: reading, checkoutURL: nil, rejectionReason: reason)
  }

  private var installment: JSONValue? {
    json.find("configuration.available_products.installments.0")
  }

  /// The hosted page, opaque: its parameters have changed over the years; nil if there is none.
  private func checkoutURL() throws(JSONPathError) -> String? {
    guard let text = installment?["web_url"]?.text, !text.isEmpty else { return nil }
    guard let origin = webOrigin(of: text), origin.hasPrefix("https:") || mode == .test else {
      throw JSONPathError(path: Self.page, "is no address of a page")
    }
    return text
  }

  private static let page = "configuration.available_products.installments.0.web_url"

  /// Why not. Two official pages name two places, and an older answer a third.
  private var rejectionReason: String? {
    let places = [
      json.find("configuration.products.installments.rejection_reason"),
      installment?["rejection_reason"],
      json["rejection_reason_code"],
    ]
    return places.lazy.compactMap { $0?.text }.first { !$0.isEmpty }.map { reason in
      String(String.UnicodeScalarView(reason.unicodeScalars.prefix(reasonScalarsMax)))
    }
  }
}

// Reasons are words such as `order_amount_too_high`; the bound keeps a stray text out of the row.
private let reasonScalarsMax = 64
