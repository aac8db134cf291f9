import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Configuration of accounts at Raïs")
struct RaisConfigurationTests {
  private static let test = #""account": "gn", "secret_key": {"env": "TILL_RAIS_SECRET_KEY"}"#
  private static let webhook =
    #""webhook": {"secrets": [{"env": "TILL_RAIS_WEBHOOK_SECRET"}]}"#
  private static let live =
    #""account": "gn-live", "secret_key": {"env": "TILL_RAIS_LIVE_KEY"}, "currency": "GNF", "#
    + #""exponent": 0, \#(webhook)"#

  /// A shop with accounts at Raïs in the place of Tabby's, or beside them.
  private func shop(_ accounts: String..., alone: Bool = true) -> ShopFiles {
    let list = accounts.map { "{\($0)}" }.joined(separator: ",")
    var files = ShopFiles().setting("TILL_RAIS_SECRET_KEY", to: "rais_sk_test_5up3r-s3cret")
      .setting("TILL_RAIS_LIVE_KEY", to: "rais_sk_live_5up3r-s3cret")
      .setting("TILL_RAIS_WEBHOOK_SECRET", to: "whk_5up3r-s3cret-webhook")
    let parts = files.settings.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = parts.firstIndex(where: { $0.hasPrefix(#" "tabby""#) }),
      let end = parts.firstIndex(where: { $0.hasPrefix(#" "fulfilment""#) })
    else { return files }
    let kept = parts[..<(alone ? start : end)] + [#" "rais": [\#(list)],"#] + parts[end...]
    files.settings = kept.joined(separator: "\n")
    return files
  }

  private func accounts(_ files: ShopFiles) async throws -> [RaisConfiguration] {
    try await withTemporaryDirectory { try files.configuration(in: $0).rais }
  }

  private func refusal(_ files: ShopFiles) async throws -> ConfigurationError? {
    try await withTemporaryDirectory { try files.refusal(in: $0) }
  }

  @Test func `a test account needs its key alone, and Tabby is not needed beside it`()
    async throws
  {
    let account = try #require(try await accounts(shop(Self.test)).first)
    #expect(account.mode == .test)
    #expect(account.settings == RaisSettings())
    #expect(try await accounts(shop(Self.test, alone: false)).count == 1)
  }

  @Test func `each setting is read`() async throws {
    let rows: [(String, (inout RaisSettings) -> Void)] = [
      (#""live_key_prefix": "rais_sk_prod_""#, { $0.liveKeyPrefix = "rais_sk_prod_" }),
      (
        #""base_url": "http://127.0.0.1:4010/rais/v1""#,
        {
          $0.baseURL = "http://127.0.0.1:4010/rais/v1"
        }
      ),
      (#""language": "en""#, { $0.language = "en" }),
      (#""language": """#, { $0.language = nil }),
      (#""currency": "XOF""#, { $0.currency = "XOF" }), (#""exponent": 2"#, { $0.exponent = 2 }),
      (#""error_code_path": "code""#, { $0.errorCodePath = "code" }),
      (#""failed_states": ["no"]"#, { $0.states = RaisStates(failed: ["no"]) }),
      (#""expired_states": ["late"]"#, { $0.states = RaisStates(expired: ["late"]) }),
      (#""cancelled_states": ["gone"]"#, { $0.states = RaisStates(cancelled: ["gone"]) }),
    ]
    for (member, change) in rows {
      var expected = RaisSettings()
      change(&expected)
      let account = try #require(try await accounts(shop("\(Self.test), \(member)")).first)
      #expect(account.settings == expected, "\(member)")
    }
  }

  @Test func `webhooks are read`() async throws {
    let webhook =
      #""webhook": {"secrets": [{"env": "TILL_RAIS_WEBHOOK_SECRET"}], "header": "X-Sig", "#
      + #""scheme": "body", "payment_path": ""}"#
    let account = try #require(try await accounts(shop("\(Self.test), \(webhook)")).first)
    var expected = PaymentDeliverySettings.rais(secrets: [Secret("whk_5up3r-s3cret-webhook")])
    expected.header = "X-Sig"
    expected.scheme = .body
    expected.paymentPath = ""
    #expect(account.settings.webhook == expected)
    let confirmed = "\(Self.test), \(webhook), \"webhook_scheme_confirmed\": true"
    let other = try #require(try await accounts(shop(confirmed)).first)
    expected.isSchemeConfirmed = true
    #expect(other.settings.webhook == expected)
  }

  @Test func `a live account starts once all about money is set, and assumes no word`()
    async throws
  {
    let account = try #require(try await accounts(shop(Self.live)).first)
    #expect(account.mode == .live)
    #expect(account.settings.states == nil)
    let missing = [
      (#", "currency": "GNF""#, "currency"), (#", "exponent": 0"#, "exponent"),
      (", \(Self.webhook)", "webhook.secrets"),
    ]
    for (part, setting) in missing {
      let refusal = try await refusal(shop(Self.live.replacing(part, with: "")))
      #expect(refusal?.setting == "rais[0].\(setting)")
    }
  }

  @Test func `the payer does not come back over http after a live payment`() async throws {
    func files(_ account: String) -> ShopFiles {
      var files = shop(account)
      files.settings = files.settings.replacing("myshop://checkout", with: "HTTP://shop.local/r")
      return files
    }
    #expect(try await accounts(files(Self.test)).count == 1)
    #expect(try await refusal(files(Self.live))?.setting == "app_return_base")
  }

  @Test(arguments: [
    (#""exponent": 5"#, "exponent"), (#""exponent": "2""#, "exponent"),
    (#""currency": "FR""#, "currency"), (#""language": 7"#, "language"),
    (#""base_url": "http://api.rais.app/v1""#, "base_url"),
    (#""failed_states": [7]"#, "failed_states"), (#""failed_states": ["paid"]"#, "states"),
    (#""live_key_prefix": "rais_sk_""#, "live_key_prefix"), (#""paid_states": []"#, "paid_states"),
    (#""webhook": {}"#, "webhook.secrets"),
    (#""webhook": {"secrets": ["plain"]}"#, "webhook.secrets[0]"),
    (#""webhook_scheme_confirmed": true"#, "webhook_scheme_confirmed"),
  ])
  func `a wrong setting is named`(member: String, setting: String) async throws {
    #expect(try await refusal(shop("\(Self.test), \(member)"))?.setting == "rais[0].\(setting)")
  }

  @Test func `an account stands once, and test and live never mix`() async throws {
    #expect(
      try await refusal(shop(Self.test, Self.test))
        == ConfigurationError("rais", "names an account twice"))
    let mixed = ConfigurationError("rais", "mixes test and live keys; run one server for each")
    #expect(try await refusal(shop(Self.test, Self.live)) == mixed)
    #expect(try await refusal(shop(Self.live, alone: false)) == mixed)
  }
}
