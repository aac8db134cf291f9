import PaymentModels
import ProviderInterface
import TebexProvider
import TestSupport
import Testing

private func live(_ settings: inout TebexSettings) {
  settings.mode = .live
  settings.currency = "USD"
  settings.webhookSecrets = [Secret("whk-5d0c1f9a-5d0c1f9a")]
}

@Suite("A store can only be configured whole")
struct ConfigurationTests {
  private func refused(
    token: String = publicToken, _ change: (inout TebexSettings) -> Void
  ) -> TebexConfigurationError.Setting? {
    var settings = TebexSettings()
    testSettings(&settings)
    change(&settings)
    do {
      _ = try TebexConfiguration(
        account: ProviderAccount("main"), publicToken: token, settings: settings)
      return nil
    } catch {
      return error.setting
    }
  }

  @Test func `test mode has defaults for everything`() throws {
    var settings = TebexSettings()
    settings.mode = .test
    let configuration = try TebexConfiguration(
      account: ProviderAccount("main"), publicToken: publicToken, settings: settings)
    #expect(configuration.currency.code == "USD")
  }

  @Test func `live mode is what nobody chose, and has no default for money and webhooks`() {
    #expect(TebexSettings().mode == .live)
    #expect(refused(live) == nil)
    #expect(
      refused {
        live(&$0)
        $0.currency = nil
      } == .currency)
    #expect(
      refused {
        live(&$0)
        $0.webhookSecrets = []
      } == .webhookSecrets)
    #expect(
      refused {
        live(&$0)
        $0.webhookSecrets = [Secret("fifteen-bytes-1")]
      } == .webhookSecrets)
  }

  @Test(arguments: ["http://127.0.0.1:4010/api", "https://headless.tebex.example/api"])
  func `live keys go to the documented places alone`(url: String) {
    for (setting, change) in [
      (
        .headlessURL,
        {
          $0.headlessURL = url
          $0.checkout?.url = url
        }
      ), (.pageOrigin, { $0.pageOrigin = url }),
      (.checkoutURL, { $0.checkout?.url = url }),
    ] as [(TebexConfigurationError.Setting, (inout TebexSettings) -> Void)] {
      #expect(refused { change(&$0) } == nil)
      #expect(
        refused {
          live(&$0)
          change(&$0)
        } == setting)
    }
  }

  @Test func `a store on a sandbox sends its checkout keys nowhere else`() {
    let sandbox = "http://127.0.0.1:4010/api"
    #expect(refused { $0.headlessURL = sandbox } == .checkoutURL)
    #expect(
      refused {
        $0.headlessURL = sandbox
        $0.checkout = nil
      } == nil)
  }

  @Test(arguments: [
    "", "headless", "ftp://x.example", "http://headless.example/api", "https://x.example/api/",
    "https://u@x.example", "https://x.example/a?b", "https://x.example/a#b",
  ])
  func `an address is whole and safe`(url: String) {
    #expect(
      refused {
        $0.headlessURL = url
        $0.checkout = nil
      } == .headlessURL)
    #expect(refused { $0.checkout?.url = url } == .checkoutURL)
    #expect(refused { $0.pageOrigin = url } == .pageOrigin)
  }

  @Test func `keys are what a header can carry`() {
    #expect(refused(token: "") { _ in } == .publicToken)
    #expect(refused(token: "a/b") { _ in } == .publicToken)
    #expect(refused { $0.privateKey = Secret("a b") } == .privateKey)
    #expect(refused { $0.checkout?.username = Secret("a:b") } == .checkoutUsername)
    #expect(refused { $0.checkout?.username = Secret("") } == .checkoutUsername)
    #expect(refused { $0.checkout?.password = Secret("a\n") } == .checkoutPassword)
    #expect(refused { $0.webhookSecrets = [Secret(" ")] } == .webhookSecrets)
    let secrets = (0..<5).map { Secret("secret-\($0)") }
    #expect(refused { $0.webhookSecrets = Array(secrets.prefix(4)) } == nil)
    #expect(refused { $0.webhookSecrets = secrets } == .webhookSecrets)
  }

  @Test func `it says what it can do`() throws {
    let tebex = try makeProvider()
    #expect(tebex.name == .tebex)
    #expect(tebex.mode == .test)
    let capabilities = tebex.capabilities
    #expect(!capabilities.createHasIdempotencyKey)
    #expect(capabilities.capture == .automatic)
    #expect(capabilities.close == .none)
    #expect(capabilities.refund == .full)
    #expect(!capabilities.operationsCarryReference)
    #expect(capabilities.refundsOnce)
    #expect(capabilities.webhook == .signed)
    #expect(capabilities.currencies == ["USD"])
    #expect(capabilities.paidProofs == [.read])
    #expect(capabilities.undoneProofs == [.signedWebhook, .transactionRead])
    #expect(try makeProvider { $0.checkout = nil }.capabilities.undoneProofs == [.signedWebhook])
    #expect(try makeProvider { $0.checkout = nil }.capabilities.refund == .none)
  }

  @Test func `capture and close are refused without a call`() async throws {
    let transport = routes([:])
    let tebex = try makeProvider(transport)
    let operation = ProviderOperation(
      providerPaymentID: ident, amount: try money("1"), reference: OperationID("op"))
    #expect(await failure { try await tebex.capture(operation) }?.code == "not_documented")
    #expect(await failure { try await tebex.close(ident) }?.code == "not_documented")
    #expect(transport.sent.isEmpty)
  }
}
