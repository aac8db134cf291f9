import FutaProvider
import HTTPExchange
import KitEnvironment
import ProviderInterface
import RaisProvider
import SEBProvider
import TabbyProvider
import TebexProvider

extension ServerConfiguration {
  /// The accounts as providers, in the order in which the kit names them.
  func providers(
    transport: any HTTPTransport, environment: KitEnvironment
  ) -> [any PaymentProvider] {
    let tabby = tabby.map {
      TabbyProvider($0, transport: transport, hashing: environment.hashing)
    }
    let futa = futa.map {
      FutaProvider($0, transport: transport, environment: environment)
    }
    let rais = rais.map {
      RaisProvider($0, transport: transport, environment: environment)
    }
    let tebex = tebex.map {
      TebexProvider($0, transport: transport, environment: environment)
    }
    let seb = seb.map {
      SEBProvider($0, transport: transport, environment: environment)
    }
    return tabby + futa + rais + tebex + seb
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
