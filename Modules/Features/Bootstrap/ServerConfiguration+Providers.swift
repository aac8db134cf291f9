import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import RaisProvider
import SEBProvider
import TabbyProvider
import TebexProvider

/// A line for each provider that a server can be configured with. `Scripts/new-merchant` takes out
/// those that a merchant does not want.
extension ServerConfiguration {
  /// Their settings' names, in the order in which the kit names them.
  static let providerNames = [
    "tabby",
    "futa",
    "rais",
    "tebex",
    "seb",
  ]

  /// The accounts as providers, in that order.
  func providers(
    transport: any HTTPTransport, environment: KitEnvironment
  ) -> [any PaymentProvider] {
    let all = [
      tabbyProviders(transport, environment),
      futaProviders(transport, environment),
      raisProviders(transport, environment),
      tebexProviders(transport, environment),
      sebProviders(transport, environment),
    ]
    return all.flatMap { $0 }
  }

  /// Each account's provider, name and mode, in that order.
  private var accounts: [(key: AccountKey, mode: PaymentMode)] {
    let all = [
      tabby.map { (AccountKey(.tabby, $0.account), $0.mode) },
      futa.map { (AccountKey(.futa, $0.account), $0.mode) },
      rais.map { (AccountKey(.rais, $0.account), $0.mode) },
      tebex.map { (AccountKey(.tebex, $0.account), $0.mode) },
      seb.map { (AccountKey(.seb, $0.account), $0.mode) },
    ]
    return all.flatMap { $0 }
  }

  /// Every account that is configured.
  var accountKeys: Set<AccountKey> { Set(accounts.map(\.key)) }

  /// One provider is needed, names stand once at a provider, and test and live keys stand in one
  /// server nowhere.
  func checkAccounts(_ reader: SettingsReader) throws(ConfigurationError) {
    // Which one is needed is the merchant's choice.
    guard Self.providerNames.contains(where: reader.has) else {
      throw ConfigurationError(
        Self.providerNames.joined(separator: ", "), "one of them is needed")
    }
    var seen: Set<AccountKey> = []
    for account in accounts {
      let setting = reader.name(account.key.provider.rawValue)
      guard seen.insert(account.key).inserted else {
        throw ConfigurationError(setting, "names an account twice")
      }
      guard account.mode == accounts.first?.mode else {
        throw ConfigurationError(setting, "mixes test and live keys; run one server for each")
      }
    }
  }

  /// The providers of the demo shop: one account of each that the kit knows, with test settings.
  /// None of them has anywhere to send to.
  static func demoProviders(
    environment: KitEnvironment
  ) throws(ConfigurationError) -> [any PaymentProvider] {
    let shop = DemoShop(directory: "demo", environment: environment)
    let files = shop.files(sandbox: "http://127.0.0.1:4010", fulfilment: nil, port: 0)
    let source = SettingsSource(
      directory: shop.directory, environment: shop.environment,
      files: Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.json) }))
    return try ServerConfiguration(file: shop.configurationFile, source: source)
      .providers(transport: NoTransport(), environment: environment)
  }
}

/// Sends nothing: for providers that are only looked at.
private struct NoTransport: HTTPTransport {
  func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    throw HTTPTransportError(.notSent, reason: "there is no transport")
  }
}

extension HTTPTransport {
  /// Lets calls of one peer out to its own addresses alone, and measures them.
  func guarded(
    _ peer: String, to urls: [String], _ environment: KitEnvironment
  ) -> any HTTPTransport {
    MeasuredTransport(EgressGuard(self, to: urls), peer: peer, environment: environment)
  }
}
