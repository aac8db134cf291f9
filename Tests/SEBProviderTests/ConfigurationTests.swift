import PaymentModels
import ProviderInterface
import SEBProvider
import TestSupport
import Testing

@Suite("An account's settings are checked once")
struct ConfigurationTests {
  private func refused(
    _ mode: PaymentMode = .test, credentials: SEBCredentials = makeCredentials(),
    account: String = "main", _ change: (inout SEBSettings) -> Void = { _ in }
  ) -> SEBConfigurationError.Setting? {
    var settings = SEBSettings()
    if mode == .live { liveSettings(&settings) }
    change(&settings)
    do throws(SEBConfigurationError) {
      _ = try SEBConfiguration(
        account: ProviderAccount(account), mode: mode, credentials: credentials, settings: settings)
      return nil
    } catch {
      return error.setting
    }
  }

  @Test func `a test account needs nothing but its credentials`() throws {
    let configuration = try makeConfiguration()
    #expect(configuration.mode == .test)
    #expect(configuration.baseURL == apiBase)
  }

  @Test func `a live account starts once all about money and secrets is set`() {
    #expect(refused(.live) == nil)
    #expect(refused(.live) { $0.baseURL = nil } == .baseURL)
    #expect(refused(.live) { $0.tokenURL = nil } == .tokenURL)
    #expect(refused(.live) { $0.currencies = nil } == .currencies)
    #expect(refused(.live) { $0.capture = nil } == .capture)
    #expect(refused(.live) { $0.states = nil } == .capturedStates)
    #expect(refused(.live) { $0.states = SEBStates(failed: ["NO"]) } == .capturedStates)
    #expect(refused(.live) { $0.states = SEBStates(captured: ["PAID"]) } == .authorizedStates)
    #expect(
      refused(.live) {
        $0.capture = .automatic
        $0.states = SEBStates(captured: ["PAID"])
      } == nil)
  }

  @Test func `a live account sends nothing whose sum it could not see`() {
    func set(_ change: (inout SEBOperations) -> Void) -> SEBConfigurationError.Setting? {
      refused(.live) {
        var operations = SEBOperations()
        change(&operations)
        $0.operations = operations
      }
    }
    #expect(set { $0.capturePath = "/c" } == .amountPaths)
    #expect(set { $0.refundPath = "/r" } == .amountPaths)
    #expect(set { $0.cancelPath = "/x" } == nil)
    #expect(
      set {
        $0 = .assumed
        $0.allowsPartialRefunds = true
      } == nil)
    // A word for all of it tells of a whole refund, and of no part.
    for allowsParts in [false, true] {
      let setting = refused(.live) {
        $0.states?.refunded = ["BACK"]
        $0.operations = SEBOperations()
        $0.operations?.refundPath = "/r"
        $0.operations?.allowsPartialRefunds = allowsParts
      }
      #expect(setting == (allowsParts ? .amountPaths : nil))
    }
    // What SEB takes by itself is the whole.
    #expect(
      refused(.live) {
        $0.capture = .automatic
        $0.operations = SEBOperations()
        $0.operations?.capturePath = "/c"
      } == nil)
  }

  @Test(arguments: [
    "http://127.0.0.1:4010/seb", "http://localhost:4010", "http://[::1]/seb",
    "https://sandbox.example", apiBase,
  ])
  func `a test account may go to a sandbox`(url: String) {
    #expect(refused { $0.baseURL = url } == nil)
    #expect(refused { $0.tokenURL = url } == nil)
  }

  @Test(arguments: ["http://127.0.0.1:4010/seb", "http://localhost:4010", apiBase])
  func `a live account does not`(url: String) {
    #expect(refused(.live) { $0.baseURL = url } == .baseURL)
  }

  @Test(arguments: [
    "", "api.example", "http://api.example", "https://api.example/", "https://u@api.example",
    "https://api.example?x", "https://api.example#x", "https://api.example/a/../b",
    "ftp://localhost", "https://", "https://a b", "http://127.0.0.1.evil.example",
    "HTTPS://api.example",
  ])
  func `any other place is refused`(url: String) {
    for mode in [PaymentMode.test, .live] {
      #expect(refused(mode) { $0.baseURL = url } == .baseURL)
      #expect(refused(mode) { $0.tokenURL = url } == .tokenURL)
    }
  }

  @Test func `odd credentials are named and never shown`() {
    func odd(_ change: (inout SEBCredentials) -> Void) -> SEBConfigurationError.Setting? {
      var credentials = makeCredentials()
      change(&credentials)
      return refused(credentials: credentials)
    }
    #expect(refused(account: "") == .account)
    for text in ["", "a b", "é", String(repeating: "x", count: 201)] {
      #expect(odd { $0.clientID = text } == .clientID)
      #expect(odd { $0.clientSecret = Secret(text) } == .clientSecret)
    }
    for text in ["", "a b", String(repeating: "x", count: 65)] {
      #expect(odd { $0.participantID = text } == .participantID)
      #expect(odd { $0.shopAgreementID = text } == .shopAgreementID)
    }
    #expect(odd { $0.participantID = String(repeating: "x", count: 64) } == nil)
  }

  @Test func `odd words and paths are named`() {
    for path in ["", "egw", "/egw/", "/a b", "/a?b"] {
      #expect(refused { $0.paymentsPath = path } == .paymentsPath)
    }
    for scope in ["", " a", "a  b", "a\"\n", String(repeating: "x", count: 201)] {
      #expect(refused { $0.tokenScope = scope } == .tokenScope)
    }
    for codes in [[], ["eur"], ["XXQ"], ["EUR", "EUR"]] {
      #expect(refused { $0.currencies = codes } == .currencies)
    }
    for name in ["", "a=b", "a&b", "ä"] {
      #expect(refused { $0.methodHintParameter = name } == .methodHintParameter)
    }
    for states in [
      SEBStates(captured: ["x"], failed: ["X"]), SEBStates(captured: ["Initialized"]),
      SEBStates(captured: ["SENT_FOR_PROCESSING"]), SEBStates(captured: [""]),
      SEBStates(captured: [String(repeating: "w", count: 65)]),
    ] {
      #expect(refused { $0.states = states } == .states)
    }
    #expect(refused { $0.states = SEBStates(captured: [String(repeating: "w", count: 64)]) } == nil)
    for path in ["", "x", "/{id}", "/a/{paymentId}/", "/a?{paymentId}"] {
      for field in [
        \SEBOperations.capturePath, \.cancelPath, \.refundPath,
      ] as [WritableKeyPath<SEBOperations, String?>] {
        #expect(refused { operations(&$0, field, path) } == .operationPaths)
      }
    }
    for path in ["", "a..b", "a b"] {
      #expect(refused { operations(&$0, \.capturedAmountPath, path) } == .amountPaths)
      #expect(refused { operations(&$0, \.refundedAmountPath, path) } == .amountPaths)
    }
  }

  private func operations(
    _ settings: inout SEBSettings, _ field: WritableKeyPath<SEBOperations, String?>, _ path: String
  ) {
    var operations = SEBOperations()
    operations[keyPath: field] = path
    settings.operations = operations
  }

  @Test func `an error never holds a value`() {
    do throws(SEBConfigurationError) {
      var credentials = makeCredentials()
      credentials.clientSecret = Secret("a secret value")
      _ = try SEBConfiguration(
        account: ProviderAccount("main"), mode: .test, credentials: credentials,
        settings: SEBSettings())
      Issue.record("accepted")
    } catch {
      #expect(!error.description.contains("value"))
      #expect(error.description.hasPrefix("client_secret"))
    }
  }
}
