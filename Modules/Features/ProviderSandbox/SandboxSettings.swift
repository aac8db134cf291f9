import PaymentModels
import StrictJSON

/// What a fake provider can be told while it runs.
protocol SandboxSettings: Sendable {
  associatedtype Faults: SandboxFaults
  /// Faults of every payment that has none of its own.
  var faults: Faults { get set }
  /// Waits before the repeats of a webhook.
  var webhookRetryMs: [Int64] { get set }
  /// Its values as the control API names them.
  static var fields: [SettingField<Self>] { get }
}

/// Ways of a fake provider to misbehave.
protocol SandboxFaults: Sendable {
  associatedtype Call: RawRepresentable<String> & CaseIterable & Hashable & Sendable
  /// Answers that go wrong, first match first.
  var answers: [AnswerFault<Call>] { get set }
  /// Times that each webhook is sent.
  var webhookCopies: Int64 { get set }
  /// Send no webhook at all.
  var dropsWebhooks: Bool { get set }
  /// No fault.
  init()
  /// Its values as the control API names them.
  static var fields: [SettingField<Self>] { get }
}

/// Settings of a provider that signs its webhooks in a way that its document leaves open, and
/// sends them to one address that is agreed beforehand.
protocol SignedWebhookSettings: SandboxSettings {
  var webhookURL: String? { get set }
  var webhookSecret: String? { get set }
  var webhookHeader: String? { get set }
  var webhookScheme: SandboxWebhookScheme { get set }
  var webhookAgeMs: Int64 { get set }
}

extension SettingField where Root: SandboxSettings {
  /// The faults of all payments.
  static var faults: Self {
    SettingField(
      name: "faults", kind: .faults,
      read: { SettingField<Root.Faults>.show($0.faults, Root.Faults.fields) },
      write: { (settings: inout Root, value: JSONValue) throws(ControlError) in
        try SettingField<Root.Faults>.patch(&settings.faults, with: value, Root.Faults.fields)
        return true
      })
  }

  static var webhookRetries: Self {
    .integers(
      "webhook_retry_ms", \.webhookRetryMs, 0...SandboxLimits.millisecondsMax, count: 0...10)
  }
}

extension SettingField where Root: SignedWebhookSettings {
  /// Where webhooks go, how they are signed and how often they are repeated.
  static var signedWebhooks: [Self] {
    [
      .text("webhook_url", \.webhookURL, isWord),
      .secret("webhook_secret", \.webhookSecret, isWord),
      .text("webhook_header", \.webhookHeader, isWord),
      .choice("webhook_scheme", \.webhookScheme),
      .integer("webhook_age_ms", \.webhookAgeMs, 0...SandboxLimits.millisecondsMax),
      .webhookRetries,
    ]
  }
}

extension SettingField where Root: SandboxFaults {
  static var webhookCopies: Self {
    .integer("webhook_copies", \.webhookCopies, 1...SandboxLimits.webhookCopiesMax)
  }

  static var dropsWebhooks: Self { .flag("drop_webhooks", \.dropsWebhooks) }
}

/// Whether `text` is a short word of visible ASCII.
func isWord(_ text: String) -> Bool {
  !text.isEmpty && text.count <= SandboxLimits.textMax
    && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

extension [Secret] {
  /// Whether one of them is this text.
  func holds(_ text: String) -> Bool { contains { $0.reveal() == text } }
}
