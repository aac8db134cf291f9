import HTTPExchange
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON

extension MerchantServer {
  /// What happened to an order and all its payments, oldest first.
  func showJournal(_ request: HTTPRequest, _ id: OrderID) async throws -> HTTPResponse {
    try await requireOperator(request)
    let (after, limit) = try journalPage(of: request)
    let entries = try await store.read { transaction in
      guard try transaction.order(id) != nil else {
        throw Problem(.notFound, "There is no such order.")
      }
      return try transaction.journal(of: id, after: after, limit: limit)
    }
    return journal(entries, isFull: entries.count == limit, last: entries.last?.sequence)
  }

  /// The same for one payment, with what concerns its order as a whole.
  func showJournal(_ request: HTTPRequest, _ id: PaymentID) async throws -> HTTPResponse {
    try await requireOperator(request)
    let (after, limit) = try journalPage(of: request)
    let entries = try await store.read { transaction in
      guard let payment = try transaction.payment(id) else {
        throw Problem(.notFound, "There is no such payment.")
      }
      return try transaction.journal(of: payment.orderID, after: after, limit: limit)
    }
    // A page may be short where other payments of the order are told of; it goes on all the same.
    return journal(
      entries.filter { $0.paymentID == nil || $0.paymentID == id },
      isFull: entries.count == limit, last: entries.last?.sequence)
  }

  private func journal(
    _ entries: [JournalEntry], isFull: Bool, last: Int64?
  ) -> HTTPResponse {
    json(
      .object([
        "journal": .array(entries.map(\.json)),
        "next_after": isFull ? last.map { .integer($0) } ?? .null : .null,
      ]))
  }

  /// `?after=` and `?limit=` of a journal.
  private func journalPage(of request: HTTPRequest) throws(Problem) -> (after: Int64, limit: Int) {
    let wish = try number("limit", of: request) ?? Int64(settings.journalEntriesMax)
    return (
      try number("after", of: request) ?? 0,
      Int(min(max(1, wish), Int64(settings.journalEntriesMax)))
    )
  }
}
