import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Configuration of accounts at SEB")
struct SEBConfigurationTests {
  private static let client =
    #""account": "tallinn", "client_id": "c", "client_secret": {"env": "TILL_SEB_CLIENT_SECRET"}, "#
    + #""participant_id": "p", "shop_agreement_id": "s""#
  private static let test = #"\#(client), "mode": "test""#
  private static let live =
    #"\#(client.replacing("tallinn", with: "live")), "base_url": "https://api.example", "#
    + #""token_url": "https://login.example/token", "#
    + #""currencies": ["EUR"], "capture": "automatic", "captured_states": ["PAID"]"#

  /// A shop with accounts at SEB in the place of Tabby's, or beside them.
  private func shop(_ accounts: String..., alone: Bool = true) -> ShopFiles {
    let list = accounts.map { "{\($0)}" }.joined(separator: ",")
    var files = ShopFiles().setting("TILL_SEB_CLIENT_SECRET", to: "5up3r-s3cret-client")
    let parts = files.settings.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = parts.firstIndex(where: { $0.hasPrefix(#" "tabby""#) }),
      let end = parts.firstIndex(where: { $0.hasPrefix(#" "fulfilment""#) })
    else { return files }
    let kept = parts[..<(alone ? start : end)] + [#" "seb": [\#(list)],"#] + parts[end...]
    files.settings = kept.joined(separator: "\n")
    return files
  }

  private func accounts(_ files: ShopFiles) async throws -> [SEBConfiguration] {
    try await withTemporaryDirectory { try files.configuration(in: $0).seb }
  }

  private func refusal(_ files: ShopFiles) async throws -> ConfigurationError? {
    try await withTemporaryDirectory { try files.refusal(in: $0) }
  }

  private static var plain: SEBSettings {
    var settings = SEBSettings()
    settings.operations = .assumed
    return settings
  }

  @Test func `a test account needs its credentials alone, and Tabby is not needed beside it`()
    async throws
  {
    let account = try #require(try await accounts(shop(Self.test)).first)
    #expect(account.mode == .test)
    #expect(account.settings == Self.plain)
    #expect(account.credentials.clientSecret == Secret("5up3r-s3cret-client"))
    #expect(try await accounts(shop(Self.test, alone: false)).count == 1)
  }

  private static let rows: [(String, @Sendable (inout SEBSettings) -> Void)] = [
    (#""base_url": "http://127.0.0.1:4010/seb""#, { $0.baseURL = "http://127.0.0.1:4010/seb" }),
    (#""token_url": "https://login.example/t""#, { $0.tokenURL = "https://login.example/t" }),
    (#""payments_path": "/egw/v2/payments""#, { $0.paymentsPath = "/egw/v2/payments" }),
    (#""client_authentication": "form""#, { $0.clientAuthentication = .form }),
    (#""token_scope": "pay""#, { $0.tokenScope = "pay" }),
    (#""currencies": ["EUR", "SEK"]"#, { $0.currencies = ["EUR", "SEK"] }),
    (
      #""capture": "separate", "authorized_states": ["A"], "captured_states": ["C"]"#,
      {
        $0.capture = .separate
        $0.states = SEBStates(authorized: ["A"], captured: ["C"])
      }
    ),
    (
      #""captured_states": ["C"], "refunded_states": ["R"], "failed_states": ["F"], "#
        + #""cancelled_states": ["X"], "expired_states": ["E"]"#,
      {
        $0.states = SEBStates(
          captured: ["C"], refunded: ["R"], failed: ["F"], cancelled: ["X"], expired: ["E"])
      }
    ),
    (#""capture_path": "/c""#, { $0.operations?.capturePath = "/c" }),
    (#""cancel_path": "/x/{paymentId}""#, { $0.operations?.cancelPath = "/x/{paymentId}" }),
    (#""refund_path": """#, { $0.operations?.refundPath = nil }),
    (#""partial_refunds": true"#, { $0.operations?.allowsPartialRefunds = true }),
    (#""captured_amount_path": "a.b""#, { $0.operations?.capturedAmountPath = "a.b" }),
    (#""refunded_amount_path": """#, { $0.operations?.refundedAmountPath = nil }),
    (#""send_customer": false"#, { $0.sendsCustomer = false }),
    (#""require_verification_key": false"#, { $0.requiresVerificationKey = false }),
    (#""method_hint_parameter": "method""#, { $0.methodHintParameter = "method" }),
    (#""preferred_method": "card""#, { $0.preferredMethod = "card" }),
    (#""error_code_path": "error.code""#, { $0.errorCodePath = "error.code" }),
  ]

  @Test func `each setting is read`() async throws {
    for (member, change) in Self.rows {
      var expected = Self.plain
      change(&expected)
      let account = try #require(try await accounts(shop("\(Self.test), \(member)")).first)
      #expect(account.settings == expected, "\(member)")
    }
  }

  @Test func `a live account starts once all about money is set, and assumes no word or path`()
    async throws
  {
    let account = try #require(try await accounts(shop(Self.live)).first)
    #expect(account.mode == .live)
    #expect(account.settings.states == SEBStates(captured: ["PAID"]))
    #expect(account.settings.operations == SEBOperations())
    for (part, setting) in [
      (#", "base_url": "https://api.example""#, "base_url"),
      (#", "token_url": "https://login.example/token""#, "token_url"),
      (#", "currencies": ["EUR"]"#, "currencies"), (#", "capture": "automatic""#, "capture"),
      (#", "captured_states": ["PAID"]"#, "captured_states"),
    ] {
      let refusal = try await refusal(shop(Self.live.replacing(part, with: "")))
      #expect(refusal?.setting == "seb[0].\(setting)")
    }
  }

  @Test(arguments: [
    (#""mode": "sandbox""#, "mode"), (#""currencies": ["EURO"]"#, "currencies"),
    (#""currencies": "EUR""#, "currencies"), (#""capture": "later""#, "capture"),
    (#""base_url": "http://api.example""#, "base_url"), (#""token_url": "x""#, "token_url"),
    (#""payments_path": "egw""#, "payments_path"), (#""failed_states": ["F"]"#, "captured_states"),
    (#""captured_states": ["INITIALIZED"]"#, "captured_states and the other lists of states"),
    (#""refund_path": "refunds""#, "capture_path, cancel_path, refund_path"),
    (#""captured_amount_path": "a..b""#, "captured_amount_path, refunded_amount_path"),
    (#""send_customer": "no""#, "send_customer"), (#""paid_states": []"#, "paid_states"),
    (#""method_hint_parameter": "a=b""#, "method_hint_parameter"),
    (#""client_authentication": "jwt""#, "client_authentication"),
  ])
  func `a wrong setting is named`(member: String, setting: String) async throws {
    let account = setting == "mode" ? Self.client : Self.test
    #expect(try await refusal(shop("\(account), \(member)"))?.setting == "seb[0].\(setting)")
  }

  @Test func `what is missing is named`() async throws {
    for name in ["account", "client_id", "participant_id", "shop_agreement_id"] {
      let parts = Self.test.split(separator: ", ").filter { !$0.hasPrefix("\"\(name)\"") }
      let refusal = try await refusal(shop(parts.joined(separator: ", ")))
      #expect(refusal?.setting == "seb[0].\(name)")
    }
    let files = shop(Self.test).setting("TILL_SEB_CLIENT_SECRET", to: nil)
    #expect(try await refusal(files)?.setting == "seb[0].client_secret")
  }

  @Test func `an account stands once, and test and live never mix`() async throws {
    #expect(
      try await refusal(shop(Self.test, Self.test))
        == ConfigurationError("seb", "names an account twice"))
    let mixed = ConfigurationError("seb", "mixes test and live keys; run one server for each")
    #expect(try await refusal(shop(Self.test, Self.live)) == mixed)
    #expect(try await refusal(shop(Self.live, alone: false)) == mixed)
  }
}
