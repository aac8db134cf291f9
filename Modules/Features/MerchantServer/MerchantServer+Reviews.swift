import CheckoutService
import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON

extension MerchantServer {
  /// Open cases, the oldest first.
  func listReviews(_ request: HTTPRequest) async throws -> HTTPResponse {
    let after = try number("after", of: request) ?? 0
    let limit = try page(of: request).limit
    let cases = try await checkouts.reviews(after: after, limit: limit)
    return json(
      .object([
        "reviews": .array(cases.map { view($0).json }),
        "next_after": cases.count == limit
          ? cases.last.map { .integer($0.review.number) } ?? .null : .null,
      ]))
  }

  func showReview(_ number: Int64) async throws -> HTTPResponse {
    return json(view(try await checkouts.review(number)).json)
  }

  func resolveReview(
    _ request: HTTPRequest, _ number: Int64, by name: OperatorName
  ) async throws -> HTTPResponse {
    let key = try idempotencyKey(of: request)
    let body = try ResolveBody(json: try body(of: request, mayBeEmpty: true))
    let found = try await checkouts.resolve(
      ReviewRequest(
        number: number, decision: body.decision, operatorName: name, reason: body.reason,
        idempotencyKey: key))
    return json(view(found).json)
  }

  private func view(_ found: ReviewCase) -> ReviewView {
    let row = found.review
    let age = max(.zero, (row.resolvedAt ?? environment.clock.now()).since(row.openedAt))
    return ReviewView(
      number: row.number, kind: row.kind, orderID: row.orderID, orderState: found.orderState,
      paymentID: row.paymentID, detail: row.detail, openedAt: row.openedAt,
      ageSeconds: age.components.seconds, resolvedAt: row.resolvedAt,
      decided: row.decision.map {
        ReviewView.Decided(
          decision: $0.decision, operatorName: $0.operatorName, reason: $0.reason)
      }, decisions: found.decisions)
  }
}
