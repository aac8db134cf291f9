import FutaProvider
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@Suite("An account's settings are checked once")
struct ConfigurationTests {
  private func refused(
    key: String = secretKey, account: String = "main", _ change: (inout FutaSettings) -> Void
  ) -> FutaConfigurationError.Setting? {
    var settings = FutaSettings(baseURL: api)
    settings.mode = .test
    change(&settings)
    do throws(FutaConfigurationError) {
      _ = try FutaConfiguration(
        account: ProviderAccount(account), secretKey: Secret(key), settings: settings)
      return nil
    } catch {
      return error.setting
    }
  }

  private func live(_ settings: inout FutaSettings) {
    settings.mode = .live
    settings.checkoutOrigin = "https://checkout.futa.example"
    settings.currency = "CDF"
    settings.exponent = 2
    settings.states = FutaStates(paid: ["paid"])
  }

  @Test func `a test account needs nothing but a host`() throws {
    let configuration = try makeConfiguration()
    #expect(configuration.mode == .test)
    #expect(configuration.checkoutOrigin == "https://checkout.sandbox.futa-app.com")
    #expect(configuration.baseURL == api)
  }

  @Test func `a key counts as live unless it is said to be a test key`() {
    #expect(FutaSettings(baseURL: api).mode == .live)
    #expect(refused { $0 = FutaSettings(baseURL: api) } != nil)
  }

  @Test func `a live key starts once all about money is set`() {
    #expect(refused { live(&$0) } == nil)
    #expect(
      refused {
        live(&$0)
        $0.currency = nil
      } == .currency)
    #expect(
      refused {
        live(&$0)
        $0.exponent = nil
      } == .exponent)
    #expect(
      refused {
        live(&$0)
        $0.states = nil
      } == .paidStates)
    #expect(
      refused {
        live(&$0)
        $0.states = FutaStates(paid: [])
      } == .paidStates)
    #expect(
      refused {
        live(&$0)
        $0.checkoutOrigin = nil
      } == .checkoutOrigin)
  }

  @Test(arguments: [
    ("https://api.futa.example", true, true), ("https://api.futa.example/v2", true, true),
    ("http://127.0.0.1:18139/futa", true, false), ("http://localhost:1", true, false),
    ("http://api.futa.example", false, false), ("https://api.futa.example/", false, false),
    ("https://u@api.futa.example", false, false), ("https://api.futa.example?x", false, false),
    ("https://api.futa.example/a/../b", false, false), ("ftp://api.futa.example", false, false),
    ("api.futa.example", false, false), ("", false, false), ("https://", false, false),
    ("http://127.0.0.1.evil.example", false, false),
  ])
  func `a host is https, or this machine in test mode`(url: String, test: Bool, live isLive: Bool) {
    #expect(refused { $0.baseURL = url } == (test ? nil : .baseURL))
    let inLive = refused {
      live(&$0)
      $0.baseURL = url
    }
    #expect(inLive == (isLive ? nil : .baseURL))
  }

  @Test(arguments: [
    ("https://checkout.futa.example", true), ("http://127.0.0.1:18140", true),
    ("https://checkout.futa.example:443", true), ("https://checkout.futa.example/c", false),
    ("http://checkout.futa.example", false), ("https://u@checkout.futa.example", false),
    ("checkout.futa.example", false), ("*", false),
  ])
  func `the checkout's origin is one`(origin: String, isOne: Bool) {
    #expect(refused { $0.checkoutOrigin = origin } == (isOne ? nil : .checkoutOrigin))
  }

  @Test func `odd keys, names, paths, numbers and words are named`() {
    #expect(refused(account: "") { _ in } == .account)
    for key in ["", " ", "a b", "a\nb", "é"] { #expect(refused(key: key) { _ in } == .secretKey) }
    for path in ["", "/", "v1", "/v1/", "/v1/../x", "/v1?x"] {
      #expect(refused { $0.paymentsPath = path } == .paymentsPath)
    }
    for name in ["", "a b", "a:b", "é"] {
      #expect(refused { $0.authorizationHeader = name } == .authorizationHeader)
    }
    #expect(refused { $0.authorizationScheme = "a b" } == .authorizationScheme)
    for code in ["cdf", "XXQ", ""] { #expect(refused { $0.currency = code } == .currency) }
    for exponent in [-1, 5] { #expect(refused { $0.exponent = exponent } == .exponent) }
    for minutes in [29, 1_431, 0] {
      #expect(refused { $0.paymentLifeMinutes = minutes } == .paymentLife)
    }
    #expect(refused { $0.states = FutaStates(paid: ["paid"], failed: ["PAID"]) } == .states)
    #expect(refused { $0.states = FutaStates(paid: [""]) } == .states)
  }

  @Test func `webhook secrets have a number and, with a live key, a length`() {
    func webhook(_ secrets: [String], isLive: Bool) -> FutaConfigurationError.Setting? {
      refused {
        if isLive { live(&$0) }
        $0.webhook = PaymentDeliverySettings.futa(secrets: secrets.map { Secret($0) })
      }
    }
    #expect(webhook(["s"], isLive: false) == nil)
    #expect(webhook([], isLive: false) == .webhookSecrets)
    #expect(webhook([" "], isLive: false) == .webhookSecrets)
    #expect(webhook(Array(repeating: "s", count: 5), isLive: false) == .webhookSecrets)
    #expect(webhook([String(repeating: "s", count: 15)], isLive: true) == .webhookSecrets)
    #expect(webhook([String(repeating: "s", count: 16)], isLive: true) == nil)
  }

  @Test func `an error never holds a value`() {
    do throws(FutaConfigurationError) {
      _ = try FutaConfiguration(
        account: ProviderAccount("main"), secretKey: Secret("futa secret value"),
        settings: FutaSettings(baseURL: api))
      Issue.record("accepted")
    } catch {
      #expect(error.description == "secret_key must be printable ASCII without spaces")
    }
  }
}
