import HTTPExchange
import PaymentModels
import PaymentStore
import TestSupport

extension ServerWorld.Setup {
  /// An empty world where nothing is captured by itself.
  static var manual: Self {
    var setup = Self()
    setup.policy = SettlementPolicy(capture: .manual)
    return setup
  }
}

extension ServerWorld {
  /// Asks for an operation as an operator does; gives the status and the body as text.
  func operate(
    _ path: String, _ row: PaymentRow, _ amount: String?, key: String
  ) async throws -> (status: Int, text: String) {
    let amount = amount.map { #""amount":"\#($0)","# } ?? ""
    let body = #"{\#(amount)"reason":"as asked"}"#
    let response = try await send(
      "POST", "/v1/payments/\(row.id)/\(path)", key: key, body: Array(body.utf8))
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  /// Asks for a refund.
  func refund(
    _ row: PaymentRow, _ amount: String?, key: String
  ) async throws -> (status: Int, text: String) {
    try await operate("refunds", row, amount, key: key)
  }

  /// Asks for the cancel of an order; gives the status.
  func cancel(_ order: OrderID) async throws -> Int {
    try await send(
      "POST", "/v1/orders/\(order)/cancel", body: Array(#"{"reason":"as asked"}"#.utf8)
    ).status
  }
}
