public import PaymentModels
public import ProviderInterface

/// One account at SEB, checked: it can only be built valid, so whatever holds one never asks again.
public struct SEBConfiguration: Hashable, Sendable {
  /// The EGW's sandbox.
  public static let sandboxBaseURL = "https://sandbox-api.ecomm.api.tietoevry.com"
  /// Where the EGW gives out tokens.
  public static let sandboxTokenURL =
    "https://ecomm.api.tietoevry.com/auth/realms/participants-tietoevry"
    + "/protocol/openid-connect/token"

  /// The account's name, which is stored with each payment made through it.
  public let account: ProviderAccount
  /// Whether the account moves real money. Nothing in its credentials tells, so it is said.
  public let mode: PaymentMode
  /// Id and secret, participant and shop.
  public let credentials: SEBCredentials
  /// The choices that were made.
  public let settings: SEBSettings
  /// Scheme, host and leading path of the API.
  public let baseURL: String
  let tokenURL: String
  let currencies: [Currency]
  let capture: ProviderCapabilities.Capture
  let states: SEBStates
  let operations: SEBOperations

  /// Every address that its calls go to.
  public var callURLs: [String] { [baseURL, tokenURL] }

  /// Checks and collects the settings of an account.
  ///
  /// A live account has no default about money or about where its secret goes: base and token
  /// address, currencies, the kind of capture and the words of paid states must be set. Nothing is
  /// captured, cancelled or refunded until the paths are, and the place of the sums with them.
  ///
  /// - Throws: ``SEBConfigurationError``, which names the setting and never holds its value.
  public init(
    account: ProviderAccount, mode: PaymentMode, credentials: SEBCredentials, settings: SEBSettings
  ) throws(SEBConfigurationError) {
    guard !account.rawValue.isEmpty else { throw SEBConfigurationError(.account, "is missing") }
    try credentials.check()
    let isTest = mode == .test
    guard let baseURL = settings.baseURL ?? (isTest ? Self.sandboxBaseURL : nil) else {
      throw SEBConfigurationError(.baseURL, "is required for a live account")
    }
    guard let tokenURL = settings.tokenURL ?? (isTest ? Self.sandboxTokenURL : nil) else {
      throw SEBConfigurationError(.tokenURL, "is required for a live account")
    }
    try Self.check(baseURL, .baseURL, mode)
    try Self.check(tokenURL, .tokenURL, mode)
    guard isTest || webOrigin(of: baseURL) != Self.sandboxBaseURL else {
      throw SEBConfigurationError(.baseURL, "is the sandbox's, where no live account is")
    }
    guard let capture = settings.capture ?? (isTest ? .automatic : nil) else {
      throw SEBConfigurationError(.capture, "is required for a live account")
    }
    try Self.checkTexts(settings)
    currencies = try Self.currencies(settings, mode)
    states = try Self.states(settings, mode, capture)
    operations = settings.operations ?? (isTest ? .assumed : SEBOperations())
    try operations.check()
    if mode == .live { try operations.checkSums(capture, states) }
    self.account = account
    self.mode = mode
    self.credentials = credentials
    self.settings = settings
    self.baseURL = baseURL
    self.tokenURL = tokenURL
    self.capture = capture
  }

  private static func check(
    _ text: String, _ setting: SEBConfigurationError.Setting, _ mode: PaymentMode
  ) throws(SEBConfigurationError) {
    guard let origin = webOrigin(of: text), let host = BaseURL(origin), text.hasPrefix(origin),
      isPath(text.dropFirst(origin.utf8.count))
    else {
      throw SEBConfigurationError(
        setting, "must be http:// or https:// with a host, without query, user or slash at the end")
    }
    guard host.isSecure || (host.isLoopback && mode == .test) else {
      throw SEBConfigurationError(
        setting, "must be https, unless the account is a test and the host this machine")
    }
  }

  private static func checkTexts(_ settings: SEBSettings) throws(SEBConfigurationError) {
    guard !settings.paymentsPath.isEmpty, isPath(settings.paymentsPath[...]) else {
      throw SEBConfigurationError(.paymentsPath, "must be a path of plain words")
    }
    if let scope = settings.tokenScope {
      guard
        scope.split(separator: " ", omittingEmptySubsequences: false).allSatisfy({
          isVisible(String($0))
        }), scope.utf8.count <= 200
      else { throw SEBConfigurationError(.tokenScope, "must be words with one space between") }
    }
    if let name = settings.methodHintParameter, !isToken(name) {
      throw SEBConfigurationError(.methodHintParameter, "must be the name of a query parameter")
    }
  }

  private static func currencies(
    _ settings: SEBSettings, _ mode: PaymentMode
  ) throws(SEBConfigurationError) -> [Currency] {
    guard let codes = settings.currencies ?? (mode == .test ? ["EUR"] : nil) else {
      throw SEBConfigurationError(.currencies, "are required for a live account")
    }
    let currencies = codes.compactMap { Currency(iso4217: $0) }
    guard !codes.isEmpty, currencies.count == codes.count, Set(codes).count == codes.count else {
      throw SEBConfigurationError(.currencies, "must be codes of ISO 4217, such as EUR, each once")
    }
    return currencies
  }

  private static func states(
    _ settings: SEBSettings, _ mode: PaymentMode, _ capture: ProviderCapabilities.Capture
  ) throws(SEBConfigurationError) -> SEBStates {
    guard let states = settings.states ?? (mode == .test ? .assumed : nil) else {
      throw SEBConfigurationError(.capturedStates, "is required for a live account")
    }
    guard !states.captured.isEmpty else {
      throw SEBConfigurationError(.capturedStates, "must name a word for a paid payment")
    }
    guard capture == .automatic || !states.authorized.isEmpty else {
      throw SEBConfigurationError(
        .authorizedStates, "must name a word for a payment that is held, as capture is separate")
    }
    let words = states.all.map(asciiLowercased)
    guard words.allSatisfy({ (1...64).contains($0.utf8.count) }), words.count <= 100 else {
      throw SEBConfigurationError(.states, "must be at most 100 words of 1 to 64 bytes")
    }
    // The documented words mean what they mean.
    guard Set(words + documentedWords).count == words.count + documentedWords.count else {
      throw SEBConfigurationError(
        .states, "name a word twice, or one of INITIALIZED and SENT_FOR_PROCESSING")
    }
    return states
  }
}

extension SEBConfiguration {
  /// The account's word for a state: for SEB's own app SDK, which asks the merchant. A state that
  /// has no word here is told as one that is not known yet.
  public func word(for status: PaymentStatus) -> String {
    let word: String? =
      switch status {
      case .created: "INITIALIZED"
      case .pending: "SENT_FOR_PROCESSING"
      case .authorized: states.authorized.first
      case .captured: states.captured.first
      case .rejected: states.failed.first
      case .cancelled: states.cancelled.first
      case .expired: states.expired.first
      case .unknown(let word): word
      }
    return word ?? "SENT_FOR_PROCESSING"
  }
}

/// What the document knows of `paymentStatus`: nobody has paid, or a bank is still at it.
let documentedWords = ["initialized", "sent_for_processing"]

/// What tells SEB who we are. The app never holds any of it.
public struct SEBCredentials: Hashable, Sendable {
  /// The client's id, from the merchant portal.
  public var clientID: String
  /// The client's secret.
  public var clientSecret: Secret
  /// The merchant as a participant.
  public var participantID: String
  /// The shop.
  public var shopAgreementID: String

  /// Collects the credentials.
  public init(
    clientID: String, clientSecret: Secret, participantID: String, shopAgreementID: String
  ) {
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.participantID = participantID
    self.shopAgreementID = shopAgreementID
  }

  fileprivate func check() throws(SEBConfigurationError) {
    let (clientMax, idMax) = (200, 64)
    guard isVisible(clientID), clientID.utf8.count <= clientMax else {
      throw SEBConfigurationError(.clientID, "must be printable ASCII without spaces")
    }
    let secret = clientSecret.reveal()
    guard isVisible(secret), secret.utf8.count <= clientMax else {
      throw SEBConfigurationError(.clientSecret, "must be printable ASCII without spaces")
    }
    for (setting, id) in [
      (SEBConfigurationError.Setting.participantID, participantID),
      (.shopAgreementID, shopAgreementID),
    ] where !isVisible(id) || id.utf8.count > idMax {
      throw SEBConfigurationError(setting, "must be 1 to \(idMax) printable characters")
    }
  }
}

extension SEBOperations {
  /// What a live account does must be seen afterwards: without a sum of its own a payment that was
  /// captured in part would count as captured as a whole, and a refund would show nowhere.
  fileprivate func checkSums(
    _ capture: ProviderCapabilities.Capture, _ states: SEBStates
  ) throws(SEBConfigurationError) {
    guard capture == .automatic || capturePath == nil || capturedAmountPath != nil else {
      throw SEBConfigurationError(
        .amountPaths, "must say where a live payment states what was captured of it")
    }
    let showsRefunds = !states.refunded.isEmpty && !allowsPartialRefunds
    guard refundPath == nil || refundedAmountPath != nil || showsRefunds else {
      throw SEBConfigurationError(
        .amountPaths, "must say where a live payment states what was refunded of it")
    }
  }

  fileprivate func check() throws(SEBConfigurationError) {
    for path in [capturePath, cancelPath, refundPath].compactMap(\.self) {
      let filled = path.replacing("{paymentId}", with: "x")
      guard !path.isEmpty, isPath(filled[...]) else {
        throw SEBConfigurationError(
          .operationPaths, "must be paths of plain words, with {paymentId} for the payment's id")
      }
    }
    for path in [capturedAmountPath, refundedAmountPath].compactMap(\.self) {
      guard path.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isToken) else {
        throw SEBConfigurationError(.amountPaths, "must be names of members with dots between")
      }
    }
  }
}

/// A setting of an account that is missing or wrong. Nobody retries it; a person mends it.
public typealias SEBConfigurationError = SettingError<SEBSetting>

/// The settings of an account; raw values are the words of a configuration file.
public enum SEBSetting: String, Hashable, Sendable {
  /// The account's name.
  case account
  /// The client's id.
  case clientID = "client_id"
  /// The client's secret.
  case clientSecret = "client_secret"
  /// The merchant as a participant.
  case participantID = "participant_id"
  /// The shop.
  case shopAgreementID = "shop_agreement_id"
  /// Scheme and host of the API.
  case baseURL = "base_url"
  /// Where tokens are fetched.
  case tokenURL = "token_url"
  /// Path of payments.
  case paymentsPath = "payments_path"
  /// Scope of a token.
  case tokenScope = "token_scope"
  /// Currencies of the account.
  case currencies
  /// How the payer's money becomes ours.
  case capture
  /// Words of a paid payment.
  case capturedStates = "captured_states"
  /// Words of a payment whose money is held.
  case authorizedStates = "authorized_states"
  /// All words of payment states together.
  case states = "captured_states and the other lists of states"
  /// Paths of captures, cancels and refunds.
  case operationPaths = "capture_path, cancel_path, refund_path"
  /// Where sums stand in a payment.
  case amountPaths = "captured_amount_path, refunded_amount_path"
  /// Query parameter of a method hint.
  case methodHintParameter = "method_hint_parameter"
}
