import HTTPExchange
import MerchantAPI

extension MerchantServer {
  /// Routes of the people who run the shop: nobody else reaches one.
  func answer(_ request: HTTPRequest, _ route: OperatorRoute) async throws -> HTTPResponse {
    let name = try await requireOperator(request)
    return switch route {
    case .webhooks: try await listWebhooks(request)
    case .webhook(let id): try await showWebhook(request, id)
    case .requeueWebhook(let id): try await requeueWebhook(request, id, by: name)
    case .replayWebhook(let id): try await replayWebhook(request, id, by: name)
    case .readPayment(let id): try await readPayment(id, by: name)
    case .providers: try await listProviders()
    case .pauseProvider(let provider): try await pause(request, provider, by: name)
    case .resumeProvider(let provider): try await resume(request, provider, by: name)
    case .eraseBuyer: try await eraseBuyer(request, by: name)
    case .messages: try await listMessages(request)
    case .message(let id): try await showMessage(id)
    case .redeliver(let id): try await redeliver(request, id, by: name)
    case .replaySaved: try await replaySaved(request, by: name)
    case .reviews: try await listReviews(request)
    case .review(let number): try await showReview(number)
    case .resolveReview(let number): try await resolveReview(request, number, by: name)
    case .moneyTotals: try await showMoneyTotals(request)
    case .reconcile: try await reconcile(request)
    }
  }

  /// Why an operator does it, as the body says.
  func reason(of request: HTTPRequest) throws -> String {
    try ReasonBody(json: try body(of: request)).reason
  }
}
