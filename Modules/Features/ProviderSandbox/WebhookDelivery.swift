import PaymentModels
import StrictJSON

/// One webhook on its way to one URL: the payment as it was when the event happened.
struct WebhookDelivery: Sendable {
  /// Its place among all; given by the queue.
  var number = 0
  let paymentID: String
  let url: String
  /// Nil if there is none, or until the webhook is sent.
  var header: WebhookHeader?
  let body: [UInt8]
  /// Status as in the body, lower case.
  let status: String
  let captureCount: Int
  let refundCount: Int
  var due: Instant
  var state = State.waiting
  var attempts: [Attempt] = []

  enum State: String, Sendable {
    case waiting, sending, delivered
    /// Every attempt failed, or the queue was full.
    case lost
    /// A fault kept it back.
    case dropped
  }

  struct Attempt: Sendable, Hashable {
    let at: Instant
    /// Nil if no answer came.
    let status: Int?
  }

  var json: JSONValue {
    .object([
      "number": .integer(number), "status": .string(status), "captures": .integer(captureCount),
      "refunds": .integer(refundCount), "url": .string(url), "state": .string(state.rawValue),
      "due": .string(due.description),
      "attempts": .array(
        attempts.map {
          .object([
            "at": .string($0.at.description),
            "status": $0.status.map { .integer($0) } ?? .null,
          ])
        }),
    ])
  }
}

/// The header that a webhook carries to prove where it comes from.
struct WebhookHeader: Sendable, Hashable {
  let title: String
  let value: String
}
