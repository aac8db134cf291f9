import KitEnvironment
import PaymentModels
import StrictJSON

/// What the control pages show of a payment.
struct PaymentSheet: Sendable {
  let provider: String
  let id: String
  let createdAt: Instant
  let terms: [JSONMember]
  /// How far the payer got on the hosted page.
  let progress: [JSONMember]
  let webURL: String
  /// Whether the hosted page still takes the payer's money.
  let isPageOpen: Bool
  /// Whether its faults are its own.
  let hasOwnFaults: Bool
  let faults: [FieldSheet]
  /// The words that its status can be set to.
  let statuses: [String]
  let events: [(event: String, at: Instant)]
  /// Newest first.
  let webhooks: [WebhookDelivery]

  func term(_ name: String) -> String { terms.first { $0.name == name }?.value.text ?? "" }
}

/// A setting as a form shows it.
struct FieldSheet: Sendable {
  let name: String
  let kind: SettingKind
  var value: JSONValue
  /// Whether it has another value than a fresh sandbox.
  let isChanged: Bool
}

/// What the control pages show of a provider.
struct ProviderSheet: Sendable {
  let name: String
  let payments: Int
  let webhooksWaiting: Int
  let faults: [FieldSheet]
  let settings: [FieldSheet]
}

/// The place of a payment in the list of all sandboxes', newest first.
struct PaymentPlace: Sendable, Comparable {
  let createdAt: Instant
  /// Position of its sandbox among all.
  var sandbox = 0
  let index: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.createdAt, left.sandbox, left.index) < (right.createdAt, right.sandbox, right.index)
  }
}

extension SandboxLedger {
  nonisolated var name: String { Self.provider }

  var providerSheet: ProviderSheet {
    settle()
    return ProviderSheet(
      name: Self.provider, payments: payments.count, webhooksWaiting: queue.deliveries.count,
      faults: faultSheets(settings.faults),
      settings: Settings.fields.filter { $0.kind != .faults }.map {
        FieldSheet(name: $0.name, kind: $0.kind, value: $0.read(settings), isChanged: false)
      })
  }

  /// A payment, by its own id alone.
  func sheet(of id: String) -> PaymentSheet? {
    settle()
    guard let index = position(id), payments[index].id == id else { return nil }
    return sheet(at: index)
  }

  /// Where a payment stands in the list.
  func place(of id: String) -> PaymentPlace? {
    guard let index = position(id), payments[index].id == id else { return nil }
    return PaymentPlace(createdAt: payments[index].createdAt, index: index)
  }

  /// The newest payments, the newest first: as the `sandbox`th of several, those before a place.
  func sheets(
    before place: PaymentPlace?, as sandbox: Int, limit: Int
  ) -> [(place: PaymentPlace, sheet: PaymentSheet)] {
    settle()
    var found: [(place: PaymentPlace, sheet: PaymentSheet)] = []
    for index in payments.indices.reversed() where found.count < limit {
      let here = PaymentPlace(
        createdAt: payments[index].createdAt, sandbox: sandbox, index: index)
      if let place, here >= place { continue }
      found.append((here, sheet(at: index)))
    }
    return found
  }

  private func sheet(at index: Int) -> PaymentSheet {
    let payment = payments[index]
    let entry = entry(of: payment)
    return PaymentSheet(
      provider: Self.provider, id: payment.id, createdAt: payment.createdAt,
      terms: entry.terms.map { JSONMember(name: $0.key, value: $0.value) },
      progress: entry.page.map { JSONMember(name: $0.key, value: $0.value) },
      webURL: entry.webURL, isPageOpen: isPageOpen(index),
      hasOwnFaults: payment.trail.faults != nil,
      faults: faultSheets(faults(of: index)), statuses: Status.allCases.map(\.rawValue),
      events: payment.trail.events,
      webhooks: (payment.trail.deliveries
        + queue.deliveries.filter { $0.paymentID == payment.id })
        .sorted { $0.number > $1.number })
  }

  private func faultSheets(_ faults: Faults) -> [FieldSheet] {
    let none = Faults()
    return Faults.fields.map {
      let value = $0.read(faults)
      return FieldSheet(
        name: $0.name, kind: $0.kind, value: value, isChanged: value != $0.read(none))
    }
  }
}
