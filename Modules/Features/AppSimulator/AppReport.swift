import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import StrictJSON

/// What the process tells the world: one JSON object a line, `event` first.
struct AppReport: Sendable {
  let write: @Sendable (String) -> Void

  func line(_ event: String, _ members: [JSONMember] = []) {
    let all = [JSONMember(name: "event", value: .string(event))] + members
    write(String(decoding: JSONValue.object(all).serialized(), as: UTF8.self))
  }

  func line(_ event: String, _ key: CheckoutKey, _ members: [JSONMember] = []) {
    line(event, [JSONMember(name: "checkout", value: .string(key.rawValue))] + members)
  }

  func failed(_ event: String, _ key: CheckoutKey, _ reason: String) {
    line(event, key, [JSONMember(name: "reason", value: .string(reason))])
  }

  func line(_ event: String, _ answer: PaymentAnswer, of key: CheckoutKey? = nil) {
    let checkout = key.map { [JSONMember(name: "checkout", value: .string($0.rawValue))] } ?? []
    line(
      event,
      checkout + members(answer.payment) + [
        JSONMember(name: "status", value: .string(answer.status?.description ?? "creating")),
        JSONMember(name: "order_state", value: .string(answer.orderState.rawValue)),
        JSONMember(name: "version", value: .integer(answer.version)),
      ])
  }

  func show(_ update: CheckoutUpdate) {
    let display: [JSONMember] =
      switch update.display {
      case .preparing: [JSONMember(name: "display", value: .string("preparing"))]
      case .confirming: [JSONMember(name: "display", value: .string("confirming"))]
      case .notStarted(let obstacle):
        [
          JSONMember(name: "display", value: .string("not_started")),
          JSONMember(name: "obstacle", value: .string(obstacle.rawValue)),
        ]
      case .outcome(let outcome):
        [
          JSONMember(name: "display", value: .string("outcome")),
          JSONMember(name: "outcome", value: .string(outcome.stored)),
          JSONMember(name: "proven", value: .bool(outcome.isProven)),
          JSONMember(name: "cart_kept", value: .bool(outcome.keepsCart)),
        ]
      }
    line("show", update.key, (update.payment.map(members) ?? []) + display)
  }

  func members(_ payment: CheckoutPayment) -> [JSONMember] {
    [
      JSONMember(name: "payment_id", value: .string(payment.paymentID.rawValue)),
      JSONMember(name: "order_id", value: .string(payment.orderID.rawValue)),
    ]
  }
}
