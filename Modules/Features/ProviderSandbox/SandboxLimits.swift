/// Every bound of the sandbox, in one place.
enum SandboxLimits {
  /// Longest request body that is read. A full checkout with ten past orders has about 20 KiB.
  static let bodyBytesMax = 64 << 10
  /// Payments kept; at the body bound above that is 320 MiB at worst.
  static let paymentsMax = 5_000
  /// Captures, and refunds, of one payment.
  static let itemsMax = 100
  /// Webhook deliveries that wait or are under way.
  static let webhookQueueMax = 10_000
  /// Deliveries under way at the same time, so that a merchant that hangs costs 64 connections.
  static let deliveriesInFlightMax = 64
  /// Finished deliveries that the ledger remembers for one payment.
  static let deliveryLogMax = 200
  /// Events that the ledger remembers for one payment; a checkout has about ten.
  static let eventsMax = 200
  /// The provider's own rule: registrations for one key and merchant code.
  static let webhooksPerMerchantMax = 4
  /// The provider's own rule: one attempt ends after a minute.
  static let webhookTimeout = Duration.seconds(60)
  /// Longest time that one control call may move the clock, and longest delay of a fault: a year,
  /// beyond the refund window.
  static let millisecondsMax: Int64 = 366 * 86_400_000
  /// Longest delay of an answer; longer ones would only hold connections.
  static let answerDelayMsMax: Int64 = 600_000
  /// Rules in one list of answer faults.
  static let answerFaultsMax = 32
  /// Copies of one webhook that a fault may ask for.
  static let webhookCopiesMax: Int64 = 10
  /// Longest return URL; browsers and proxies cut off not far above.
  static let returnURLBytesMax = 2_048
  /// Longest reference or header text that is taken; the provider processes 255 characters.
  static let textMax = 255
  /// Page size of the payment list, the provider's own maximum.
  static let pageMax: Int64 = 20
}
