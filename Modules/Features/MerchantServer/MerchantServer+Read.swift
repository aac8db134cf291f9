import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore

extension MerchantServer {
  /// Reads a payment because an operator asks, also one that has come to its end: its provider's
  /// own people may have changed it since.
  func readPayment(_ id: PaymentID, by name: OperatorName) async throws -> HTTPResponse {
    let now = environment.clock.now()
    let row = try await store.write { transaction in
      guard let row = try transaction.payment(id) else {
        throw Problem(.notFound, "There is no such payment.")
      }
      try transaction.appendJournal(
        JournalEntry(
          at: now, orderID: row.orderID, paymentID: id, channel: .operator, operatorName: name,
          trust: .hint, event: "read"))
      return row
    }
    let isFresh = await read(row.id)
    return json(try await view(of: id, isFresh: isFresh, showsKey: false).json)
  }
}
