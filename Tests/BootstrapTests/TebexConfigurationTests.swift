import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Configuration of stores at Tebex")
struct TebexConfigurationTests {
  private static let test = #""account": "store", "public_token": "t66x-1", "mode": "test""#
  private static let secrets = #""webhook_secrets": [{"env": "TILL_TEBEX_WEBHOOK_SECRET"}]"#
  private static let live =
    #""account": "store", "public_token": "t66x-1", "currency": "EUR", \#(secrets)"#
  private static let key = #"{"env": "TILL_TEBEX_SECRET_KEY"}"#

  /// A shop with stores at Tebex in the place of Tabby's accounts, or beside them.
  private func shop(_ accounts: String..., alone: Bool = true) -> ShopFiles {
    let list = accounts.map { "{\($0)}" }.joined(separator: ",")
    var files = ShopFiles().setting("TILL_TEBEX_SECRET_KEY", to: "tebex_5up3r-s3cret")
      .setting("TILL_TEBEX_WEBHOOK_SECRET", to: "whk_5up3r-s3cret-webhook")
    let parts = files.settings.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = parts.firstIndex(where: { $0.hasPrefix(#" "tabby""#) }),
      let end = parts.firstIndex(where: { $0.hasPrefix(#" "fulfilment""#) })
    else { return files }
    let kept = parts[..<(alone ? start : end)] + [#" "tebex": [\#(list)],"#] + parts[end...]
    files.settings = kept.joined(separator: "\n")
    return files
  }

  private func accounts(_ files: ShopFiles) async throws -> [TebexConfiguration] {
    try await withTemporaryDirectory { try files.configuration(in: $0).tebex }
  }

  private func refusal(_ files: ShopFiles) async throws -> ConfigurationError? {
    try await withTemporaryDirectory { try files.refusal(in: $0) }
  }

  @Test func `a test store needs its token alone, and Tabby is not needed beside it`()
    async throws
  {
    let account = try #require(try await accounts(shop(Self.test)).first)
    var expected = TebexSettings()
    expected.mode = .test
    #expect(account.settings == expected)
    #expect(account.publicToken == "t66x-1")
    #expect(try await accounts(shop(Self.test, alone: false)).count == 1)
  }

  @Test func `each setting is read`() async throws {
    let url = "http://127.0.0.1:4010/tebex"
    let key = Secret("tebex_5up3r-s3cret")
    let rows: [(String, (inout TebexSettings) -> Void)] = [
      (#""currency": "EUR""#, { $0.currency = "EUR" }),
      (#""headless_url": "\#(url)""#, { $0.headlessURL = url }),
      (#""page_origin": "\#(url)""#, { $0.pageOrigin = url }),
      (#""private_key": \#(Self.key)"#, { $0.privateKey = key }),
      (Self.secrets, { $0.webhookSecrets = [Secret("whk_5up3r-s3cret-webhook")] }),
      (#""auto_redirect": false"#, { $0.redirectsByItself = false }),
      (#""send_username": true"#, { $0.sendsUsername = true }),
      (#""send_quantity_of_one": false"#, { $0.sendsQuantityOfOne = false }),
      (#""wait_for_webhook": true"#, { $0.waitsForWebhook = true }),
      (
        #""checkout": {"username": \#(Self.key)}"#,
        { $0.checkout = TebexCheckoutSettings(username: key, password: Secret("")) }
      ),
      (
        #""checkout": {"username": \#(Self.key), "password": \#(Self.key), "url": "\#(url)"}"#,
        {
          $0.checkout = TebexCheckoutSettings(username: key, password: key)
          $0.checkout?.url = url
        }
      ),
    ]
    for (member, change) in rows {
      var expected = TebexSettings()
      expected.mode = .test
      change(&expected)
      let account = try #require(try await accounts(shop("\(Self.test), \(member)")).first)
      #expect(account.settings == expected, "\(member)")
    }
  }

  @Test func `a live store starts once money and webhooks are set`() async throws {
    let account = try #require(try await accounts(shop(Self.live)).first)
    #expect(account.mode == .live)
    for (part, setting) in [
      (#", "currency": "EUR""#, "currency"), (", \(Self.secrets)", "webhook_secrets"),
    ] {
      let refusal = try await refusal(shop(Self.live.replacing(part, with: "")))
      #expect(refusal?.setting == "tebex[0].\(setting)")
    }
    let elsewhere = try await refusal(
      shop("\(Self.live), \(#""headless_url": "http://127.0.0.1:4010""#)"))
    #expect(elsewhere?.setting == "tebex[0].headless_url")
  }

  @Test(arguments: [
    (#""currency": "FR""#, "currency"), (#""mode": "sandbox""#, "mode"),
    (#""page_origin": "pay""#, "page_origin"), (#""private_key": "plain""#, "private_key"),
    (#""checkout": {}"#, "checkout.username"), (#""auto_redirect": 1"#, "auto_redirect"),
    (#""wait_for_webhook": "on""#, "wait_for_webhook"), (#""exponent": 2"#, "exponent"),
    (#""webhook_secrets": []"#, "webhook_secrets"),
  ])
  func `a wrong setting is named`(member: String, setting: String) async throws {
    let wrong = Self.test.replacing(
      #", "mode": "test""#, with: member.hasPrefix(#""mode""#) ? "" : #", "mode": "test""#)
    #expect(try await refusal(shop("\(wrong), \(member)"))?.setting == "tebex[0].\(setting)")
  }

  @Test func `a store stands once, and test and live never mix`() async throws {
    #expect(
      try await refusal(shop(Self.test, Self.test))
        == ConfigurationError("tebex", "names an account twice"))
    let mixed = ConfigurationError("tebex", "mixes test and live keys; run one server for each")
    #expect(try await refusal(shop(Self.live, alone: false)) == mixed)
  }
}
