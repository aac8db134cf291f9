import FutaProvider
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Configuration of accounts at Futa")
struct FutaConfigurationTests {
  private static let test =
    #""account": "drc", "mode": "test", "base_url": "https://api.futa.example", "#
    + #""secret_key": {"env": "TILL_FUTA_SECRET_KEY"}"#
  private static let live =
    #""account": "drc", "base_url": "https://api.futa.example", "#
    + #""secret_key": {"env": "TILL_FUTA_SECRET_KEY"}, "#
    + #""checkout_origin": "https://c.futa.example", "currency": "CDF", "exponent": 2, "#
    + #""paid_states": ["settled"]"#

  /// A shop with accounts at Futa, beside Tabby or alone.
  private func shop(_ accounts: String..., alone: Bool = true) -> ShopFiles {
    let list = accounts.map { "{\($0)}" }.joined(separator: ",")
    var files = ShopFiles().setting("TILL_FUTA_SECRET_KEY", to: "futa_5up3r-s3cret")
      .setting("TILL_FUTA_WEBHOOK_SECRET", to: "whk_5up3r-s3cret-webhook")
    files.settings = files.settings.replacing(
      "\"fulfilment\": {\"url\"", with: "\"futa\": [\(list)],\n \"fulfilment\": {\"url\"")
    guard alone else { return files }
    let start = files.settings.range(of: "\"tabby\": [")
    let end = files.settings.range(of: "\"futa\": [")
    if let start, let end {
      files.settings.removeSubrange(start.lowerBound..<end.lowerBound)
    }
    return files
  }

  private func accounts(_ files: ShopFiles) async throws -> [FutaConfiguration] {
    try await withTemporaryDirectory { try files.configuration(in: $0).futa }
  }

  private func refusal(_ files: ShopFiles) async throws -> ConfigurationError? {
    try await withTemporaryDirectory { try files.refusal(in: $0) }
  }

  @Test func `a test account needs little, and Tabby is not needed beside it`() async throws {
    let account = try #require(try await accounts(shop(Self.test)).first)
    #expect(account.mode == .test)
    #expect(account.baseURL == "https://api.futa.example")
    #expect(account.settings == FutaSettings(baseURL: "https://api.futa.example").asTest)
    let both = try await accounts(shop(Self.test, alone: false))
    #expect(both.count == 1)
  }

  @Test func `each setting is read`() async throws {
    let rows: [(String, (inout FutaSettings) -> Void)] = [
      (#""checkout_origin": "https://c.example""#, { $0.checkoutOrigin = "https://c.example" }),
      (#""payments_path": "/v2/pay""#, { $0.paymentsPath = "/v2/pay" }),
      (#""authorization_header": "X-Key""#, { $0.authorizationHeader = "X-Key" }),
      (#""authorization_scheme": """#, { $0.authorizationScheme = "" }),
      (#""error_code_path": "code""#, { $0.errorCodePath = "code" }),
      (#""currency": "USD""#, { $0.currency = "USD" }), (#""exponent": 0"#, { $0.exponent = 0 }),
      (#""payment_life_minutes": 30"#, { $0.paymentLifeMinutes = 30 }),
      (#""app_return_url": true"#, { $0.allowsAppReturnURL = true }),
      (#""paid_states": ["settled"]"#, { $0.states?.paid = ["settled"] }),
      (#""refunded_states": ["back"]"#, { $0.states?.refunded = ["back"] }),
      (#""failed_states": ["declined"]"#, { $0.states?.failed = ["declined"] }),
      (#""expired_states": ["lapsed"]"#, { $0.states?.expired = ["lapsed"] }),
      (#""cancelled_states": ["gone"]"#, { $0.states?.cancelled = ["gone"] }),
      (#""pending_states": ["open"]"#, { $0.states?.pending = ["open"] }),
    ]
    for (member, change) in rows {
      var expected = FutaSettings(baseURL: "https://api.futa.example").asTest
      change(&expected)
      let account = try #require(try await accounts(shop("\(Self.test), \(member)")).first)
      #expect(account.settings == expected, "\(member)")
    }
  }

  @Test func `webhooks are read`() async throws {
    let webhook =
      #""webhook": {"secrets": [{"env": "TILL_FUTA_WEBHOOK_SECRET"}], "header": "X-Sig", "#
      + #""scheme": "body", "payment_path": ""}"#
    let account = try #require(try await accounts(shop("\(Self.test), \(webhook)")).first)
    var expected = PaymentDeliverySettings.futa(secrets: [Secret("whk_5up3r-s3cret-webhook")])
    expected.header = "X-Sig"
    expected.scheme = .body
    expected.paymentPath = ""
    #expect(account.settings.webhook == expected)
    let confirmed = "\(Self.test), \(webhook), \"webhook_scheme_confirmed\": true"
    let other = try #require(try await accounts(shop(confirmed)).first)
    expected.isSchemeConfirmed = true
    #expect(other.settings.webhook == expected)
  }

  @Test func `a live account starts once all about money is set, and assumes no word`() async throws
  {
    let account = try #require(try await accounts(shop(Self.live)).first)
    #expect(account.mode == .live)
    #expect(account.settings.states == FutaStates(paid: ["settled"]))
    let missing = [
      (#", "currency": "CDF""#, "currency"), (#", "exponent": 2"#, "exponent"),
      (#", "paid_states": ["settled"]"#, "paid_states"),
      (#", "checkout_origin": "https://c.futa.example""#, "checkout_origin"),
    ]
    for (part, setting) in missing {
      let refusal = try await refusal(shop(Self.live.replacing(part, with: "")))
      #expect(refusal?.setting == "futa[0].\(setting)")
    }
  }

  @Test(arguments: [
    (#""exponent": 5"#, "exponent"), (#""exponent": "2""#, "exponent"),
    (#""paid_states": []"#, "paid_states"), (#""paid_states": [7]"#, "paid_states"),
    (#""paid_states": "paid""#, "paid_states"), (#""failed_states": ["paid"]"#, "states"),
    (#""app_return_url": "yes""#, "app_return_url"),
    (#""payment_life_minutes": 29"#, "payment_life_minutes"),
    (#""authorization_scheme": 7"#, "authorization_scheme"), (#""paidstates": []"#, "paidstates"),
    (#""webhook": {"secrets": []}"#, "webhook.secrets"), (#""webhook": {}"#, "webhook.secrets"),
    (#""webhook": {"secrets": ["plain"]}"#, "webhook.secrets[0]"),
    (#""webhook_scheme_confirmed": true"#, "webhook_scheme_confirmed"),
  ])
  func `a wrong setting is named`(member: String, setting: String) async throws {
    #expect(try await refusal(shop("\(Self.test), \(member)"))?.setting == "futa[0].\(setting)")
  }

  @Test func `an account stands once, and test and live never mix`() async throws {
    #expect(
      try await refusal(shop(Self.test, Self.test))
        == ConfigurationError("futa", "names an account twice"))
    let other = Self.live.replacing("\"drc\"", with: "\"drc-live\"")
    let mixed = ConfigurationError("futa", "mixes test and live keys; run one server for each")
    #expect(try await refusal(shop(Self.test, other)) == mixed)
    #expect(try await refusal(shop(other, alone: false)) == mixed)
  }
}

extension FutaSettings {
  /// These settings in test mode, with the assumed words.
  fileprivate var asTest: FutaSettings {
    var settings = self
    settings.mode = .test
    settings.states = .assumed
    return settings
  }
}

extension String {
  /// Where a text stands.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
