import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StrictJSON

extension MerchantServer {
  /// Erases what the store keeps of a buyer, also from its files. Repeating it is fine.
  func eraseBuyer(_ request: HTTPRequest, by name: OperatorName) async throws -> HTTPResponse {
    let body = try EraseBody(json: try body(of: request))
    let now = environment.clock.now()
    let erased = try await store.write { transaction in
      let erased = try transaction.eraseBuyer(body.subject, at: now)
      guard erased.isChange else { return erased }
      for order in erased.orders {
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: order, paymentID: nil, channel: .operator, operatorName: name,
            trust: .proof, event: "buyer erased", note: body.reason))
      }
      return erased
    }
    guard !erased.orders.isEmpty else {
      throw Problem(.notFound, "No order of such a buyer is stored.")
    }
    let isGone = await emptyFiles()
    return json(
      .object([
        "subject": .string(body.subject.rawValue), "orders": .integer(erased.orders.count),
        "erased": .object([
          "webhook_bodies": .integer(erased.bodies), "requests": .integer(erased.requests),
          "pages": .integer(erased.pages),
        ]),
        "waiting": .integer(erased.waiting), "gone_from_disk": .bool(isGone),
        "kept": .array(Self.kept.map { .string($0) }),
      ]))
  }

  /// Whether nothing of it is in the store's files any more; if not, whoever asks repeats it.
  private func emptyFiles() async -> Bool {
    do {
      try await store.checkpoint()
      return true
    } catch {
      environment.log(.warning, "the store's log could not be emptied", ("error", "\(error)"))
      return false
    }
  }

  private static let kept = [
    "ids and the subject: they lead from a payment to its order, and to the provider's own books",
    "order lines, sums, captures and refunds: the books of the merchant",
    "the journal and operators' reasons: who changed what; neither holds a buyer's data",
    "hashes of webhook bodies: a second delivery is known by them",
  ]
}
