import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import PaymentStore
import ProviderSandbox
import SQLitePaymentStore
import StrictJSON
import SystemCrypto
import TestSupport

@testable import Bootstrap

/// The demo shop's five accounts against the providers' sandboxes, in one process, and a server
/// that answers here and at a public address.
struct LiveWorld {
  static let sandboxURL = "http://127.0.0.1:4010"
  static let publicURL = "https://pay.shop.example"
  private static let localURL = "http://127.0.0.1:8080"

  /// Parts of the settings and what stands there instead.
  var edits: [(String, String)] = []
  /// Parts of the catalogue and what stands there instead.
  var prices: [(String, String)] = []
  /// Variables that are set otherwise.
  var variables: [String: String] = [:]
  var publicURL: String? = Self.publicURL
  /// What answers at the public address; nil is the server itself.
  var publicAnswer: HTTPResponse?
  /// What answers the providers' calls; nil is the sandbox.
  var providerAnswer: (@Sendable (HTTPOutgoing) -> HTTPResponse?)?
  /// Runs before the look, against the sandboxes.
  var prepare: (@Sendable (any HTTPTransport, DemoShop, any PaymentStore) async throws -> Void)?

  /// What is found, by subject and item.
  func found() async throws -> [String: LiveCheck] {
    Dictionary(
      uniqueKeysWithValues: try await checks().map { ("\($0.subject): \($0.item)", $0) })
  }

  func checks() async throws -> [LiveCheck] {
    let clock = ManualClock()
    let environment = KitEnvironment(
      clock: clock.clock, random: seededRandom(3), log: .silent, hashing: .openSSL)
    return try await withTemporaryDirectory { directory in
      let shop = DemoShop(directory: directory, environment: environment)
      let transport = transport(shop, environment)
      let configuration = try configuration(shop)
      let store = try SQLitePaymentStore.open(path: configuration.database)
      try await prepare?(transport, shop, store)
      await store.close()
      return await LiveCheckup(
        configuration: configuration, transport: transport, environment: environment,
        publicURL: publicURL
      ).checks()
    }
  }

  private func configuration(_ shop: DemoShop) throws -> ServerConfiguration {
    var files: [String: JSONValue] = [:]
    for (path, json) in shop.files(sandbox: Self.sandboxURL, fulfilment: nil, port: 8_080) {
      var text = String(decoding: json.serialized(), as: UTF8.self)
      for (part, other) in path.hasSuffix("catalogue.json") ? prices : edits {
        precondition(!path.hasSuffix("till-server.json") || text.contains(part), "no \(part)")
        text = text.replacing(part, with: other)
      }
      files[path] = try JSONValue(parsing: Array(text.utf8))
    }
    return try ServerConfiguration(
      file: shop.configurationFile,
      source: SettingsSource(
        directory: shop.directory,
        environment: shop.environment.merging(variables) { $1 }, files: files))
  }

  private func transport(_ shop: DemoShop, _ environment: KitEnvironment) -> ClosureTransport {
    var settings = SandboxStack.Settings()
    settings.tabby = TabbySandboxSettings(keys: [shop.tabbyKey])
    settings.futa = FutaSandboxSettings(keys: [shop.futaKey])
    settings.rais = RaisSandboxSettings(keys: [shop.raisKey])
    settings.tebex = TebexSandboxSettings(keys: [shop.tebexKey])
    settings.seb.clients = settings.seb.clients.map { client in
      var client = client
      client.secret = shop.sebSecret
      return client
    }
    let sandbox = SandboxStack(
      settings: settings, environment: environment,
      transport: ClosureTransport { _ in HTTPResponse(status: 200) }, publicURL: Self.sandboxURL)
    let (publicAnswer, providerAnswer) = (publicAnswer, providerAnswer)
    return ClosureTransport { request in
      if request.url.hasPrefix(Self.localURL) { return Self.server(request) }
      if request.url.hasPrefix(Self.publicURL) { return publicAnswer ?? Self.server(request) }
      if let answer = providerAnswer?(request) { return answer }
      return await sandbox.respond(
        to: HTTPRequest(
          method: request.method, target: String(request.url.dropFirst(Self.sandboxURL.count)),
          headers: request.headers, body: request.body, peer: "127.0.0.1"))
    }
  }

  /// As a server of the kit answers.
  private static func server(_ request: HTTPOutgoing) -> HTTPResponse {
    if request.url.hasSuffix("/healthz") {
      return HTTPResponse(status: 200, body: Array(#"{"status":"ok","instance":"i-1"}"#.utf8))
    }
    if request.url.hasSuffix("/readyz") {
      return HTTPResponse(status: 200, body: Array(#"{"status":"ready"}"#.utf8))
    }
    let problem = #"{"type":"/problems/method_not_allowed","detail":"This path takes POST."}"#
    return HTTPResponse(status: 405, body: Array(problem.utf8))
  }
}
