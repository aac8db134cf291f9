public import HTTPExchange
public import KitEnvironment
import PaymentModels
public import PaymentStore

/// Delivers the messages that settlement wrote: at least once, each order's in sequence, until
/// the receiver acknowledges with a 2xx.
public struct FulfilmentOutbox: Sendable {
  private let store: any PaymentStore
  private let transport: any HTTPTransport
  private let settings: OutboxSettings
  private let environment: KitEnvironment
  private let signature: MessageSignature

  /// Composes an outbox over a store and the way to the receiver.
  public init(
    store: any PaymentStore, transport: any HTTPTransport, settings: OutboxSettings,
    environment: KitEnvironment
  ) {
    self.store = store
    self.transport = transport
    self.settings = settings
    self.environment = environment
    signature = MessageSignature(secret: settings.secret, hashing: environment.hashing)
  }

  /// Delivers until the task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      let sent = await deliverDue()
      // As long as there was something, more may be due: an order's next message.
      if sent > 0 { continue }
      do {
        try await environment.clock.sleep(for: settings.tick)
      } catch {
        return
      }
    }
  }

  /// Tries every message that is due once; returns how many were acknowledged.
  func deliverDue() async -> Int {
    let now = environment.clock.now()
    let limit = settings.batchMax
    let due: [MessageRow]
    do {
      due = try await store.read { try $0.messagesDue(at: now, limit: limit) }
    } catch {
      environment.log(.warning, "due messages could not be listed", ("error", "\(error)"))
      return 0
    }
    return await withTaskGroup(of: Bool.self) { group in
      for message in due { group.addTask { await deliver(message) } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  private func deliver(_ message: MessageRow) async -> Bool {
    environment.reached(.messageDue)
    let body = messageBody(message)
    var headers = signature.headers(
      id: message.id.rawValue, at: environment.clock.now(), body: body)
    headers.add("Content-Type", "application/json")
    let request = HTTPOutgoing(
      method: "POST", url: settings.url, headers: headers, body: body,
      deadline: settings.deadline)
    var isAcknowledged = false
    do throws(HTTPTransportError) {
      isAcknowledged = (200...299).contains(try await transport.send(request).status)
    } catch {
      environment.log(
        .warning, "a message could not be delivered", ("message_id", message.id.rawValue),
        ("error", error.description))
    }
    do {
      try await record(message, isAcknowledged: isAcknowledged)
      if isAcknowledged {
        environment.log(
          .info, "message delivered", ("order_id", message.orderID.rawValue),
          ("kind", message.kind.rawValue))
      }
      return isAcknowledged
    } catch {
      // Not recorded, so it is sent again: the receiver dedupes by the id.
      environment.log(
        .warning, "a delivery could not be recorded", ("message_id", message.id.rawValue),
        ("error", "\(error)"))
      return false
    }
  }

  private func record(_ message: MessageRow, isAcknowledged: Bool) async throws {
    let environment = environment
    let settings = settings
    try await store.write { transaction in
      let now = environment.clock.now()
      var row = message
      row.tries += 1
      if isAcknowledged {
        row.deliveredAt = now
        row.nextTryAt = nil
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: row.orderID, paymentID: row.paymentID, channel: .system,
            trust: .proof, event: "message", change: "\(row.kind.rawValue) delivered"))
      } else {
        let wait = settings.backoff.delay(afterAttempt: row.tries, random: environment.random)
        row.nextTryAt = now + wait
      }
      try transaction.updateMessage(row)
    }
  }
}
