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
      TabbyProvider(
        $0, transport: transport.guarded("tabby", to: $0.callURLs, environment),
        hashing: environment.hashing)
    }
    let futa = futa.map {
      FutaProvider(
        $0, transport: transport.guarded("futa", to: $0.callURLs, environment),
        environment: environment)
    }
    let rais = rais.map {
      RaisProvider(
        $0, transport: transport.guarded("rais", to: $0.callURLs, environment),
        environment: environment)
    }
    let tebex = tebex.map {
      TebexProvider(
        $0, transport: transport.guarded("tebex", to: $0.callURLs, environment),
        environment: environment)
    }
    let seb = seb.map {
      SEBProvider(
        $0, transport: transport.guarded("seb", to: $0.callURLs, environment),
        environment: environment)
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

extension HTTPTransport {
  /// Lets calls of one peer out to its own addresses alone, and measures them.
  func guarded(
    _ peer: String, to urls: [String], _ environment: KitEnvironment
  ) -> any HTTPTransport {
    MeasuredTransport(EgressGuard(self, to: urls), peer: peer, environment: environment)
  }
}
