public import HTTPExchange
public import KitEnvironment
public import PaymentModels
import StrictJSON

/// Looks at deliveries that carry a payment and are signed. The signature is checked over the raw
/// bytes before anything is parsed; then the body says which payment to read. What else it says
/// may be proof where the scheme of the signature is known.
public struct PaymentDelivery: Sendable {
  private let settings: PaymentDeliverySettings?
  private let referenceName: String
  private let mode: PaymentMode
  private let hashing: Hashing

  /// Looks at the deliveries of one account.
  ///
  /// - Parameters:
  ///   - settings: nil takes none.
  ///   - referenceName: the member that carries our payment id.
  public init(
    _ settings: PaymentDeliverySettings?, referenceName: String, mode: PaymentMode, hashing: Hashing
  ) {
    self.settings = settings
    self.referenceName = referenceName
    self.mode = mode
    self.hashing = hashing
  }

  /// What a delivery is.
  public func inspection(_ request: HTTPRequest, now: Instant) -> WebhookInspection {
    guard let settings else {
      return .unauthentic(reason: "no webhook secret is configured")
    }
    let signature = WebhookSignature(
      scheme: settings.scheme, header: settings.header, secrets: settings.secrets,
      hashing: hashing)
    switch signature.verify(request, now: now) {
    case .valid(let index): return payment(settings, request.body, matchedSecret: index)
    case .refused(let reason): return .unauthentic(reason: reason)
    }
  }

  private func payment(
    _ settings: PaymentDeliverySettings, _ body: [UInt8], matchedSecret: Int
  ) -> WebhookInspection {
    let found: JSONValue?
    do {
      found = try settings.payment(in: body)
    } catch {
      return .malformed(reason: "the body is not JSON: \(error)")
    }
    guard let payment = found, let id = payment["id"]?.text, isToken(id) else {
      return .malformed(reason: "the body names no payment")
    }
    let reference = payment[referenceName]?.text
    return .notice(
      WebhookNotice(
        providerPaymentID: ProviderPaymentID(id),
        paymentReference: reference.flatMap { isCanonicalUUID($0) ? $0 : nil },
        matchedSecret: matchedSecret, isProof: settings.mayProve(in: mode)))
  }
}
