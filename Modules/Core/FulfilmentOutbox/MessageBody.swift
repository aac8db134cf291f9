import PaymentModels
import PaymentStore
import StrictJSON

/// The JSON of a message. It holds no buyer data: the receiver knows the order.
func messageBody(_ message: MessageRow) -> [UInt8] {
  JSONValue.object([
    "id": .string(message.id.rawValue),
    "type": .string("order.\(message.kind.rawValue)"),
    "order_id": .string(message.orderID.rawValue),
    "payment_id": .optional(message.paymentID?.rawValue),
    "sequence": .integer(message.sequence),
    "amount": .string(message.amount.decimal),
    "currency": .string(message.amount.currency.code),
    "created_at": .string(message.createdAt.description),
  ]).serialized()
}
