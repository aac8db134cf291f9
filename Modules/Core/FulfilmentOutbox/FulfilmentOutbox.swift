public import HTTPExchange
public import KitEnvironment
import PaymentModels
public import PaymentStore

/// Delivers the messages that settlement wrote: at least once, each order's in sequence, until
/// the receiver acknowledges with a 2xx.
///
/// A message that is being sent is leased: no other process over the same store sends it until the
/// lease ends. Should it be sent twice after all, because a process was killed or stood still, both
/// have the same id.
///
/// One that is never acknowledged is given up in the end, and what follows it for its order waits:
/// goods are not taken back before anybody was told to hand them out.
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
    var pace = WorkerPace(tick: settings.tick)
    while !Task.isCancelled {
      environment.beat(.outbox)
      let turn = await deliverDue()
      let wait = pace.wait(isRefused: turn.isRefused, random: environment.random)
      // As long as there was something, more may be due: an order's next message.
      if turn.acknowledged > 0, !turn.isRefused { continue }
      do {
        try await environment.clock.sleep(for: wait)
      } catch {
        return
      }
    }
  }

  /// What became of the messages that were due.
  struct Turn {
    var acknowledged = 0
    /// Whether the store refused: to lease what is due, or to take an outcome.
    var isRefused = false
  }

  private enum Outcome {
    case acknowledged
    case notAcknowledged
    case unrecorded
  }

  /// Tries every message that is due once.
  func deliverDue() async -> Turn {
    let due: [MessageRow]
    do {
      due = try await takeDue()
    } catch {
      environment.log(.warning, "due messages could not be taken", ("error", "\(error)"))
      return Turn(isRefused: true)
    }
    return await withTaskGroup(of: Outcome.self) { group in
      for message in due { group.addTask { await deliver(message) } }
      return await group.reduce(into: Turn()) { turn, outcome in
        if outcome == .acknowledged { turn.acknowledged += 1 }
        if outcome == .unrecorded { turn.isRefused = true }
      }
    }
  }

  /// Takes what is due for this process alone: each is put off by a lease in the same step.
  private func takeDue() async throws -> [MessageRow] {
    let (clock, limit, lease) = (environment.clock, settings.batchMax, settings.lease)
    let now = clock.now()
    // Most turns find nothing: no write for those.
    guard try await !store.read({ try $0.messagesDue(at: now, limit: 1) }).isEmpty else {
      return []
    }
    environment.reached(.messageDue)
    return try await store.write { transaction in
      // Read inside: the transaction may have waited behind the other process's own.
      let now = clock.now()
      var due = try transaction.messagesDue(at: now, limit: limit)
      for index in due.indices {
        due[index].nextTryAt = now + lease
        try transaction.updateMessage(due[index])
      }
      return due
    }
  }

  private func deliver(_ message: MessageRow) async -> Outcome {
    let body = messageBody(message)
    var headers = signature.headers(
      id: id(of: message), at: environment.clock.now(), body: body)
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
        ("order_id", message.orderID.rawValue), ("payment_id", message.paymentText),
        ("error", error.description))
    }
    do {
      try await record(message, isAcknowledged: isAcknowledged)
      if isAcknowledged {
        environment.log(
          .info, "message delivered", ("message_id", message.id.rawValue),
          ("order_id", message.orderID.rawValue), ("payment_id", message.paymentText),
          ("kind", message.kind.rawValue))
      }
      return isAcknowledged ? .acknowledged : .notAcknowledged
    } catch {
      // Not recorded, so it is sent again: the receiver dedupes by the id.
      environment.log(
        .warning, "a delivery could not be recorded", ("message_id", message.id.rawValue),
        ("order_id", message.orderID.rawValue), ("payment_id", message.paymentText),
        ("error", "\(error)"))
      return .unrecorded
    }
  }

  /// By which the shop knows the message, the same at every try.
  private func id(of message: MessageRow) -> String {
    #if FaultInjection
      if SeededFault.active == .sendsNewMessageID { return environment.newUUID() }
    #endif
    return message.id.rawValue
  }

  private func record(_ message: MessageRow, isAcknowledged: Bool) async throws {
    let environment = environment
    let settings = settings
    try await store.write { transaction in
      let now = environment.clock.now()
      // As it is now: another process may have delivered it meanwhile.
      guard
        var row = try transaction.messages(of: message.orderID).first(where: {
          $0.id == message.id
        }), row.deliveredAt == nil
      else { return }
      // What failed here says nothing once another process, or a person, has it sent anew.
      guard isAcknowledged || row.nextTryAt == message.nextTryAt else { return }
      row.tries += 1
      if isAcknowledged {
        row.deliveredAt = now
        row.nextTryAt = nil
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: row.orderID, paymentID: row.paymentID, channel: .system,
            trust: .proof, event: "message", change: "\(row.kind.rawValue) delivered"))
      } else if row.tries < settings.triesMax {
        let wait = settings.backoff.delay(afterAttempt: row.tries, random: environment.random)
        row.nextTryAt = now + wait
        #if FaultInjection
          if SeededFault.active == .dropsRefusedMessage { row.deliveredAt = now }
        #endif
      } else {
        row.nextTryAt = nil
        environment.log(
          .error, "a message was given up after its last try", ("message_id", row.id.rawValue),
          ("order_id", row.orderID.rawValue), ("payment_id", row.paymentText),
          ("kind", row.kind.rawValue))
        try transaction.appendJournal(
          JournalEntry(
            at: now, orderID: row.orderID, paymentID: row.paymentID, channel: .system,
            trust: .proof, event: "message", change: "\(row.kind.rawValue) given up",
            note: "not acknowledged in \(row.tries) tries"))
      }
      try transaction.updateMessage(row)
    }
  }
}

extension MessageRow {
  /// The payment for a log line; a message about the order alone has none.
  fileprivate var paymentText: String { paymentID?.rawValue ?? "none" }
}
