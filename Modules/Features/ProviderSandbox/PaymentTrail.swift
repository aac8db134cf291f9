import PaymentModels
import StrictJSON

/// What a sandbox keeps of a payment beside its terms: how to treat it, and what happened.
struct PaymentTrail<Faults: SandboxFaults>: Sendable {
  /// Faults of this payment alone; nil means those of the settings.
  var faults: Faults?
  var calls = CallCounts<Faults.Call>()
  /// Webhooks that have come to their end.
  private(set) var deliveries: [WebhookDelivery] = []
  /// What payer, merchant and time did, in order.
  private(set) var events: [(event: String, at: Instant)] = []

  /// Adds an event, unless the story is too long already.
  mutating func note(_ event: String, at instant: Instant) {
    if events.count < SandboxLimits.eventsMax { events.append((event, instant)) }
  }

  /// Adds a webhook that has come to its end, and forgets the oldest beyond the bound.
  mutating func remember(_ delivery: WebhookDelivery) {
    deliveries.append(delivery)
    let excess = deliveries.count - SandboxLimits.deliveryLogMax
    if excess > 0 { deliveries.removeFirst(excess) }
  }
}

/// Calls of the merchant's server, by kind.
struct CallCounts<Call: RawRepresentable<String> & Hashable & Sendable>: Sendable {
  private var counts: [Call: Int64] = [:]

  mutating func count(_ call: Call) { counts[call, default: 0] += 1 }

  func json(_ calls: [Call]) -> JSONValue {
    .object(
      calls.map { JSONMember(name: $0.rawValue, value: .integer(counts[$0, default: 0])) })
  }
}
