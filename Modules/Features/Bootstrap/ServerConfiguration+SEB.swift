import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import ProviderInterface
import SEBProvider

extension ServerConfiguration {
  private static let sebSettings: Set<String> = [
    "account", "mode", "client_id", "client_secret", "participant_id", "shop_agreement_id",
    "base_url", "token_url", "payments_path", "client_authentication", "token_scope", "currencies",
    "capture", "authorized_states", "captured_states", "refunded_states", "failed_states",
    "cancelled_states", "expired_states", "capture_path", "cancel_path", "refund_path",
    "partial_refunds", "captured_amount_path", "refunded_amount_path", "send_customer",
    "require_verification_key", "method_hint_parameter", "preferred_method", "error_code_path",
  ]

  /// The accounts at SEB; none if there is no such setting.
  static func seb(
    _ reader: SettingsReader, _ source: SettingsSource
  ) throws(ConfigurationError) -> [SEBConfiguration] {
    guard reader.has("seb") else { return [] }
    var accounts: [SEBConfiguration] = []
    for (index, element) in try reader.elements("seb").enumerated() {
      let path = "seb[\(index)]"
      let account = try SettingsReader(element, path: path, allowed: sebSettings, source: source)
      let name = ProviderAccount(try account.text("account"))
      let mode = try account.choice("mode", or: PaymentMode.live)
      let credentials = SEBCredentials(
        clientID: try account.text("client_id"), clientSecret: try account.secret("client_secret"),
        participantID: try account.text("participant_id"),
        shopAgreementID: try account.text("shop_agreement_id"))
      let settings = try sebSettings(account, mode)
      do {
        accounts.append(
          try SEBConfiguration(
            account: name, mode: mode, credentials: credentials, settings: settings))
      } catch {
        throw ConfigurationError(error, at: path)
      }
    }
    return accounts
  }

  private static func sebSettings(
    _ account: SettingsReader, _ mode: PaymentMode
  ) throws(ConfigurationError) -> SEBSettings {
    var settings = SEBSettings()
    settings.baseURL = try account.optionalText("base_url")
    settings.tokenURL = try account.optionalText("token_url")
    settings.paymentsPath = try account.optionalText("payments_path") ?? settings.paymentsPath
    settings.clientAuthentication = try account.choice(
      "client_authentication", or: settings.clientAuthentication)
    settings.tokenScope = try account.optionalText("token_scope")
    settings.currencies = try account.texts("currencies")
    if account.has("capture") {
      settings.capture = try account.choice("capture", or: .automatic)
    }
    settings.states = try sebStates(account)
    settings.operations = try sebOperations(account, mode)
    settings.sendsCustomer = try account.flag("send_customer") ?? settings.sendsCustomer
    settings.requiresVerificationKey =
      try account.flag("require_verification_key") ?? settings.requiresVerificationKey
    settings.methodHintParameter = try account.optionalText("method_hint_parameter")
    settings.preferredMethod = try account.optionalText("preferred_method")
    settings.errorCodePath = try account.optionalText("error_code_path") ?? settings.errorCodePath
    return settings
  }

  /// The words of `paymentStatus`; nil if none is given. One list that is given stands for all: the
  /// others are then empty.
  private static func sebStates(
    _ account: SettingsReader
  ) throws(ConfigurationError) -> SEBStates? {
    let names = [
      "authorized_states", "captured_states", "refunded_states", "failed_states",
      "cancelled_states", "expired_states",
    ]
    guard names.contains(where: account.has) else { return nil }
    return SEBStates(
      authorized: try account.texts("authorized_states") ?? [],
      captured: try account.texts("captured_states") ?? [],
      refunded: try account.texts("refunded_states") ?? [],
      failed: try account.texts("failed_states") ?? [],
      cancelled: try account.texts("cancelled_states") ?? [],
      expired: try account.texts("expired_states") ?? [])
  }

  /// Paths of operations; each that is not given is the assumed one for a test account and none for
  /// a live one. An empty one sends or asks nothing.
  private static func sebOperations(
    _ account: SettingsReader, _ mode: PaymentMode
  ) throws(ConfigurationError) -> SEBOperations? {
    var operations = mode == .test ? SEBOperations.assumed : SEBOperations()
    let fields: [(name: String, path: WritableKeyPath<SEBOperations, String?>)] = [
      ("capture_path", \.capturePath), ("cancel_path", \.cancelPath),
      ("refund_path", \.refundPath), ("captured_amount_path", \.capturedAmountPath),
      ("refunded_amount_path", \.refundedAmountPath),
    ]
    for field in fields {
      guard let text = try account.textOrEmpty(field.name) else { continue }
      operations[keyPath: field.path] = text.isEmpty ? nil : text
    }
    operations.allowsPartialRefunds = try account.flag("partial_refunds") ?? false
    return operations
  }

  /// The accounts at SEB as providers.
  func sebProviders(
    _ transport: any HTTPTransport, _ environment: KitEnvironment
  ) -> [any PaymentProvider] {
    seb.map {
      SEBProvider(
        $0, transport: transport.guarded("seb", to: $0.callURLs, environment),
        environment: environment)
    }
  }

  /// What SEB's own app SDK is told of a payment; nil without an account there.
  var sebLookup: PaymentLookup? {
    let seb = seb
    guard !seb.isEmpty else { return nil }
    return PaymentLookup(provider: .seb) { account, status in
      // A payment of an account that is gone is not known any more.
      seb.first { $0.account == account }?.word(for: status) ?? "SENT_FOR_PROCESSING"
    }
  }
}
