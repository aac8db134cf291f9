import PaymentModels
import ProviderInterface
import RaisProvider
import TestSupport
import Testing

@Suite("An account's settings are checked once")
struct ConfigurationTests {
  private func refused(
    key: String = testKey, account: String = "main",
    _ change: (inout RaisSettings) -> Void = { _ in }
  ) -> RaisConfigurationError.Setting? {
    var settings = RaisSettings()
    if key.hasPrefix("rais_sk_live_") { liveSettings(&settings) }
    change(&settings)
    do throws(RaisConfigurationError) {
      _ = try RaisConfiguration(
        account: ProviderAccount(account), secretKey: Secret(key), settings: settings)
      return nil
    } catch {
      return error.setting
    }
  }

  @Test func `a test account needs nothing but its key`() throws {
    let configuration = try makeConfiguration()
    #expect(configuration.mode == .test)
    #expect(configuration.settings.baseURL == "https://api.rais.app/v1")
  }

  @Test func `a live key starts once all about money is set`() throws {
    #expect(refused(key: liveKey) == nil)
    #expect(try makeConfiguration(key: liveKey, liveSettings).mode == .live)
    #expect(refused(key: liveKey) { $0.currency = nil } == .currency)
    #expect(refused(key: liveKey) { $0.exponent = nil } == .exponent)
    #expect(refused(key: liveKey) { $0.webhook = nil } == .webhookSecrets)
  }

  @Test(arguments: [
    "", " ", "rais_sk_test_", "rais_sk_live_", "rais_sk_x", "sk_test_x", "RAIS_SK_TEST_x",
    "rais_pk_test_x", "rais_sk_test_...", "rais_sk_test_a b", "rais_sk_test_a\r\nX: y",
    " " + testKey, testKey + "\n", "rais_sk_test_" + String(repeating: "a", count: 101),
  ])
  func `every other key is refused by the setting's name`(key: String) {
    #expect(refused(key: key) == .secretKey)
  }

  @Test func `how a live key begins is a setting`() throws {
    #expect(refused(key: "rais_sk_prod_1") == .secretKey)
    let configuration = try makeConfiguration(key: "rais_sk_prod_1") {
      liveSettings(&$0)
      $0.liveKeyPrefix = "rais_sk_prod_"
    }
    #expect(configuration.mode == .live)
    #expect(refused(key: liveKey) { $0.liveKeyPrefix = "rais_sk_prod_" } == .secretKey)
  }

  // A live key that passed for a test key, or the reverse, would mix up real money.
  @Test(arguments: ["", " ", "rais_sk_test_", "rais_sk_test_live_", "rais_sk_", "r", "a b", "ü"])
  func `the beginnings tell test and live apart`(prefix: String) {
    #expect(refused { $0.liveKeyPrefix = prefix } == .liveKeyPrefix)
  }

  @Test(arguments: [
    "http://127.0.0.1:4010/rais/v1", "http://localhost:4010/rais/v1", "http://[::1]/v1",
    "https://sandbox.example", "https://api.rais.app/v1",
  ])
  func `a test key may go to a sandbox`(url: String) {
    #expect(refused { $0.baseURL = url } == nil)
    let isOwn = url == "https://api.rais.app/v1"
    #expect(refused(key: liveKey) { $0.baseURL = url } == (isOwn ? nil : .baseURL))
  }

  @Test(arguments: [
    "", "api.rais.app/v1", "http://api.rais.app/v1", "https://api.rais.app/v1/",
    "https://u@api.rais.app/v1", "https://api.rais.app/v1?x", "https://api.rais.app/v1#x",
    "https://api.rais.app/a/../v1", "ftp://localhost", "https://", "https://a b",
    "http://127.0.0.1.evil.example/v1", "HTTPS://api.rais.app/v1",
  ])
  func `any other place is refused`(url: String) {
    #expect(refused { $0.baseURL = url } == .baseURL)
    #expect(refused(key: liveKey) { $0.baseURL = url } == .baseURL)
  }

  @Test func `odd names, numbers and words are named`() {
    #expect(refused(account: "") == .account)
    for word in ["", "f r", "fr\"", "é"] { #expect(refused { $0.language = word } == .language) }
    for code in ["gnf", "XXQ", ""] { #expect(refused { $0.currency = code } == .currency) }
    for exponent in [-1, 5] { #expect(refused { $0.exponent = exponent } == .exponent) }
    for exponent in [0, 4] { #expect(refused { $0.exponent = exponent } == nil) }
    for states in [
      RaisStates(failed: ["x"], expired: ["X"]), RaisStates(failed: ["Paid"]),
      RaisStates(cancelled: ["pending"]), RaisStates(failed: [""]),
      RaisStates(failed: [String(repeating: "w", count: 65)]),
    ] {
      #expect(refused { $0.states = states } == .states)
    }
    #expect(refused { $0.states = RaisStates(failed: [String(repeating: "w", count: 64)]) } == nil)
  }

  @Test func `webhook secrets have a number and, with a live key, a length`() {
    func webhook(_ secrets: [String], _ key: String) -> RaisConfigurationError.Setting? {
      refused(key: key) {
        $0.webhook = PaymentDeliverySettings.rais(secrets: secrets.map { Secret($0) })
      }
    }
    #expect(webhook(["s"], testKey) == nil)
    #expect(webhook(["a", "b", "c", "d"], testKey) == nil)
    for odd in [[], [" "], ["a", "b", "c", "d", "e"]] {
      #expect(webhook(odd, testKey) == .webhookSecrets)
    }
    #expect(webhook([String(repeating: "s", count: 15)], liveKey) == .webhookSecrets)
    #expect(webhook([String(repeating: "s", count: 16)], liveKey) == nil)
    #expect(refused { webhookHeader(&$0, "a b") } == .webhookHeader)
  }

  private func webhookHeader(_ settings: inout RaisSettings, _ name: String) {
    settings.webhook = PaymentDeliverySettings.rais(secrets: [Secret("s")])
    settings.webhook?.header = name
  }

  @Test func `an error never holds a value`() {
    do throws(RaisConfigurationError) {
      _ = try RaisConfiguration(
        account: ProviderAccount("main"), secretKey: Secret("rais secret value"),
        settings: RaisSettings())
      Issue.record("accepted")
    } catch {
      #expect(!error.description.contains("value"))
      #expect(error.description.hasPrefix("secret_key "))
    }
  }
}
