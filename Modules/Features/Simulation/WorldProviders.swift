import FutaProvider
package import HTTPExchange
package import KitEnvironment
package import PaymentModels
package import ProviderInterface
import ProviderSandbox
import RaisProvider
import SEBProvider
import StrictJSON
import TabbyProvider
import TebexProvider

/// The merchant's accounts at the fake providers of a world, with their keys and secrets.
package struct WorldProviders: Sendable {
  static let tabbyKey = Secret("sk_test_\(WorldShop.keyMark)")
  package static let tabbyHeader = "X-Webhook-Token"
  static let raisKey = Secret("rais_sk_test_\(WorldShop.keyMark)")
  static let futaKey = Secret("futa_test_\(WorldShop.keyMark)")
  static let tebexKey = Secret("tebex_\(WorldShop.keyMark)")
  static let sebSecret = Secret("seb_\(WorldShop.keyMark)")

  /// The secret of a provider's webhooks; another one after each change.
  package static func webhookSecret(_ provider: String, _ generation: Int) -> Secret {
    Secret("whk_\(WorldShop.keyMark)_\(provider)_\(generation)")
  }

  /// The providers whose webhook secret can be changed in a world.
  static let rotating = ["futa", "rais", "tebex", "tabby"]

  /// Which generations of each provider's secret the server takes now.
  private var generations: [String: [Int]] = [:]

  /// The accounts with their first secrets.
  package init() {}

  private func secrets(_ provider: String) -> [Secret] {
    generations[provider, default: [0]].map { Self.webhookSecret(provider, $0) }
  }

  /// Has the server of the next life take exactly these.
  mutating func take(_ generations: [Int], of provider: String) {
    self.generations[provider] = generations
  }

  /// The accounts as providers of one life of the server.
  package func providers(
    transport: any HTTPTransport, environment: KitEnvironment
  ) -> [any PaymentProvider] {
    do {
      return [
        TabbyProvider(try tabby, transport: transport, hashing: environment.hashing),
        FutaProvider(try futa, transport: transport, environment: environment),
        RaisProvider(try rais, transport: transport, environment: environment),
        TebexProvider(try tebex, transport: transport, environment: environment),
        SEBProvider(try seb, transport: transport, environment: environment),
      ]
    } catch {
      preconditionFailure("the world's accounts are valid: \(error)")
    }
  }

  private static let account = ProviderAccount("world")

  private var tabby: TabbyConfiguration {
    get throws {
      try TabbyConfiguration(
        account: Self.account, secretKey: Self.tabbyKey, merchantCode: "AE",
        region: .emiratesAndKuwait, baseURL: WorldShop.sandboxURL,
        webhookHeader: TabbyWebhookHeader(title: Self.tabbyHeader, values: secrets("tabby")))
    }
  }

  private var futa: FutaConfiguration {
    get throws {
      var settings = FutaSettings(baseURL: "\(WorldShop.sandboxURL)/futa")
      settings.mode = .test
      settings.checkoutOrigin = WorldShop.sandboxURL
      settings.allowsAppReturnURL = true
      settings.paymentLifeMinutes = 30
      settings.webhook = .futa(secrets: secrets("futa"))
      return try FutaConfiguration(
        account: Self.account, secretKey: Self.futaKey, settings: settings)
    }
  }

  private var rais: RaisConfiguration {
    get throws {
      var settings = RaisSettings()
      settings.baseURL = "\(WorldShop.sandboxURL)/rais/v1"
      settings.webhook = .rais(secrets: secrets("rais"))
      return try RaisConfiguration(
        account: Self.account, secretKey: Self.raisKey, settings: settings)
    }
  }

  private var tebex: TebexConfiguration {
    get throws {
      var settings = TebexSettings()
      settings.mode = .test
      settings.headlessURL = "\(WorldShop.sandboxURL)/tebex/headless/api"
      settings.pageOrigin = "\(WorldShop.sandboxURL)/tebex/pay"
      settings.privateKey = Self.tebexKey
      settings.checkout = TebexCheckoutSettings(username: Self.tebexKey, password: Secret(""))
      settings.checkout?.url = "\(WorldShop.sandboxURL)/tebex/checkout/api"
      settings.webhookSecrets = secrets("tebex")
      return try TebexConfiguration(
        account: Self.account, publicToken: TebexSandboxSettings.demoPublicToken,
        settings: settings)
    }
  }

  private var seb: SEBConfiguration {
    get throws {
      var settings = SEBSettings()
      settings.baseURL = "\(WorldShop.sandboxURL)/seb"
      settings.tokenURL = "\(WorldShop.sandboxURL)/seb/auth/token"
      return try SEBConfiguration(
        account: Self.account, mode: .test,
        credentials: SEBCredentials(
          clientID: SEBSandboxClient.demo.id, clientSecret: Self.sebSecret,
          participantID: SEBSandboxClient.demo.participantID,
          shopAgreementID: SEBSandboxClient.demo.shopAgreementID), settings: settings)
    }
  }
}
