import PaymentModels
import PaymentStore
import SQLiteConnection
import TestSupport
import Testing

@testable import SQLitePaymentStore

@Suite("What is shown of a payment")
struct ShownPaymentTests {
  private static let states: [PaymentStatus] = [
    .created, .authorized, .captured, .rejected, .unknown("ON_HOLD"),
  ]

  /// A payment with every optional field, or with none.
  private func payment(_ state: PaymentStatus, isFull: Bool) -> PaymentRow {
    var payment = Sample.payment()
    payment.status = state
    guard isFull else { return payment }
    payment.createState = .created
    payment.providerPaymentID = ProviderPaymentID("prov-1")
    payment.checkoutURL = "https://checkout.example/?a=%20b"
    payment.rejectionReason = "not_eligible"
    payment.expiresAt = Sample.start + .seconds(60)
    payment.verificationKey = Secret("key-1")
    payment.lapsed = true
    return payment
  }

  @Test(arguments: states, [false, true])
  func `one query gives what the whole rows give`(
    _ state: PaymentStatus, _ isFull: Bool
  ) async throws {
    try await withStore { store in
      let put = payment(state, isFull: isFull)
      let (one, whole) = try await store.write { transaction in
        var order = Sample.order()
        if isFull { order.cancelRequestedAt = Sample.start }
        try transaction.insertOrder(order)
        try transaction.insertPayment(put)
        if isFull {
          try transaction.putItem(Sample.item("c1"), of: put.id)
          try transaction.putItem(Sample.item("c2"), of: put.id)
          try transaction.putItem(Sample.item("r", kind: .refund), of: put.id)
          try transaction.putItem(Sample.item("b", kind: .chargeback), of: put.id)
          try transaction.updateOrder(order)
        }
        let order2 = try #require(try transaction.order(put.orderID))
        let items = try transaction.items(of: put.id)
        return (
          try transaction.shownPayment(put.id), ShownPayment(put, of: order2, items: items)
        )
      }
      #expect(one == whole)
      #expect(try await store.read { try $0.shownPayment(Sample.paymentID(9)) } == nil)
    }
  }

  @Test func `it is found by one seek in each table`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      await (try SQLitePaymentStore.open(path: path)).close()
      let database = try SQLiteDatabase(path: path, access: .readOnly)
      defer { database.close() }
      let plan = try database.all("EXPLAIN QUERY PLAN " + ShownPayment.select, [.text("x")]) {
        (row) throws(SQLiteError) in
        _ = (try row.integer(), try row.integer(), try row.integer())
        return try row.text()
      }
      #expect(plan.filter { $0.hasPrefix("SCAN") && $0 != "SCAN CONSTANT ROW" } == [])
      #expect(plan.filter { $0.hasPrefix("SEARCH") }.count == 4)
    }
  }
}
