import CheckoutLifecycle
import CheckoutSession
import HTTPExchange
import MerchantAPI
import PaymentModels

extension BackendError {
  /// The error that an answer is; nil if it is none.
  init?(_ response: HTTPResponse) {
    let problem = Problem(response: response)
    let word = problem?.code.rawValue ?? "status \(response.status)"
    switch response.status {
    case 200..<300, 304: return nil
    case 401: self.init(.signInNeeded, reason: word)
    // Too early, too slow or too often: the same request is fine later.
    case 408, 425, 429: self.init(.retryLater(after: response.retryAfter), reason: word)
    case 409 where problem?.code == .beingPaid: self.init(.beingPaid, reason: word)
    // Only the server's own word refuses. What a proxy or a hotel's network says instead of it
    // would make the device forget a key under which a payment may have been made.
    case 400..<500 where problem != nil:
      self.init(problem?.code == .notFound ? .notFound : .giveUp, reason: word)
    // Refused before anything was made under the key; an hour may pass until it is taken.
    case 503 where problem?.code == .providerPaused: self.init(.giveUp, reason: word)
    // Redirects are not followed, so they are as little an answer as a failure of the server, or
    // another's words.
    default: self.init(.retryLater(after: response.retryAfter), reason: word)
    }
  }
}

extension HTTPResponse {
  /// `Retry-After` in seconds; a date there would need a clock that agrees with the server's, so
  /// it counts as not said.
  fileprivate var retryAfter: Duration? {
    guard let text = headers["Retry-After"], !text.isEmpty,
      text.utf8.allSatisfy({ (48...57).contains($0) }), let seconds = Int64(text)
    else { return nil }
    return .seconds(min(seconds, 86_400))
  }
}

extension CheckoutBody {
  init(_ request: CheckoutRequest) {
    let purchase: CheckoutBody.Purchase =
      switch request.purchase {
      case .items(let items): .items(items.map { Item($0) })
      case .order(let id): .order(id)
      case .edited(let id, let items): .edited(id, items.map { Item($0) })
      }
    self.init(provider: request.provider, purchase: purchase)
  }
}

extension CheckoutBody.Item {
  fileprivate init(_ item: CheckoutRequest.Item) {
    self.init(productID: item.productID, quantity: item.quantity)
  }
}

extension PaymentAnswer {
  /// Nil if the ids are not of the form that ids have, or the page is not a web page: such a
  /// value must not reach a path or a browser.
  init?(_ view: PaymentView) {
    guard isCanonicalUUID(view.paymentID.rawValue), isCanonicalUUID(view.orderID.rawValue),
      view.checkoutURL.map(Self.isWebPage) ?? true
    else { return nil }
    let status: PaymentStatus? = if case .known(let status) = view.state { status } else { nil }
    self.init(
      payment: CheckoutPayment(
        paymentID: view.paymentID, orderID: view.orderID,
        providerPaymentID: view.providerPaymentID, checkoutURL: view.checkoutURL,
        returnURLs: view.returnURLs, verificationKey: view.verificationKey),
      status: status, orderState: view.orderState, version: view.version)
  }

  private static func isWebPage(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("https://") || start.hasPrefix("http://")
  }
}

extension CheckoutSignal {
  var onTheWire: SignalBody.Signal {
    switch self {
    case .opened: .opened
    case .returned(.success): .returnedSuccess
    case .returned(.cancel): .returnedCancel
    case .returned(.failure): .returnedFailure
    case .closed: .closed
    case .wentOutside: .wentOutside
    case .pageFinal: .pageFinal
    case .foregrounded: .foreground
    case .relaunched: .relaunched
    }
  }
}
