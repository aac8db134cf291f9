import HTTPExchange

/// A page of the sandbox's control, or something that a page asks for.
enum ControlRoute: Hashable {
  /// `GET /sandbox?provider=…&before=…`
  case overview
  /// `GET /sandbox/control/payments/{id}`
  case payment(String)
  /// `GET /sandbox/control/providers/{name}`
  case provider(String)
  /// `POST /sandbox/control/clock`
  case clock
  /// `POST /sandbox/control/payments/{id}/{action}`
  case paymentAction(String, PaymentDeed)
  /// `POST /sandbox/control/providers/{name}/{faults|settings}`
  case providerAction(String, ProviderDeed)
  /// `GET /sandbox/control/assets/{hash}/{name}`
  case asset(String, String)

  /// What a form does to a payment.
  enum PaymentDeed: String, CaseIterable {
    case pay, decline, status, faults, resend
    case noFaults = "no-faults"
  }

  /// What a form does to a provider.
  enum ProviderDeed: String, CaseIterable {
    case faults, settings
  }

  static let root = "/sandbox"
  static let folder = "/sandbox/control"

  /// The route of a path; nil if it is no page's, such as those of the control API.
  init?(path: String) {
    if path == Self.root {
      self = .overview
      return
    }
    guard path.hasPrefix("\(Self.folder)/") else { return nil }
    let parts = path.dropFirst(Self.folder.count + 1)
      .split(separator: "/", omittingEmptySubsequences: false)
      .map { QueryText.decode(String($0)) ?? "" }
    switch (parts.first, parts.count) {
    case ("clock", 1): self = .clock
    case ("payments", 2): self = .payment(parts[1])
    case ("payments", 3):
      guard let deed = PaymentDeed(rawValue: parts[2]) else { return nil }
      self = .paymentAction(parts[1], deed)
    case ("providers", 2): self = .provider(parts[1])
    case ("providers", 3):
      guard let deed = ProviderDeed(rawValue: parts[2]) else { return nil }
      self = .providerAction(parts[1], deed)
    case ("assets", 3): self = .asset(parts[1], parts[2])
    default: return nil
    }
  }

  var path: String {
    switch self {
    case .overview: Self.root
    case .payment(let id): "\(Self.folder)/payments/\(QueryText.encode(id))"
    case .provider(let name): "\(Self.folder)/providers/\(QueryText.encode(name))"
    case .clock: "\(Self.folder)/clock"
    case .paymentAction(let id, let deed): "\(Self.payment(id).path)/\(deed.rawValue)"
    case .providerAction(let name, let deed): "\(Self.provider(name).path)/\(deed.rawValue)"
    case .asset(let hash, let name): "\(Self.folder)/assets/\(hash)/\(name)"
    }
  }

  var method: String {
    switch self {
    case .overview, .payment, .provider, .asset: "GET"
    case .clock, .paymentAction, .providerAction: "POST"
    }
  }
}
