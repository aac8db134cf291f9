import HTTPExchange
import MerchantServer
import StrictJSON
import TestSupport
import Testing

@Suite("Files that let an app open https returns")
struct AppAssociationTests {
  private static let apple = "/.well-known/apple-app-site-association"
  private static let android = "/.well-known/assetlinks.json"
  private static let fingerprint = Array(repeating: "0A", count: 32).joined(separator: ":")

  static let goldenApple = GoldenBody(
    "apple-app-site-association", source: "Apple, Supporting associated domains",
    """
    { "applinks": { "details": [ {
      "appIDs": ["ABCDE12345.com.example.shop", "ABCDE12345.com.example.shop.beta"],
      "components": [ { "/": "/return/*" } ] } ] } }
    """)
  static let goldenAndroid = GoldenBody(
    "assetlinks.json", source: "Android, Verify App Links",
    """
    [ { "relation": ["delegate_permission/common.handle_all_urls"],
      "target": { "namespace": "android_app", "package_name": "com.example.shop",
        "sha256_cert_fingerprints": ["\(fingerprint)"] } } ]
    """)

  private func answers(
    _ associations: AppAssociations, method: String = "GET"
  ) async throws -> [HTTPResponse] {
    var setup = ServerWorld.Setup()
    setup.tuneServer = { $0.associations = associations }
    var found: [HTTPResponse] = []
    try await ServerWorld.run(setup) { world in
      for path in [Self.apple, Self.android] {
        found.append(try await world.send(method, path, token: nil))
      }
    }
    return found
  }

  private var both: AppAssociations {
    var both = AppAssociations()
    both.appleAppIDs = ["ABCDE12345.com.example.shop", "ABCDE12345.com.example.shop.beta"]
    both.androidApps = [
      AppAssociations.AndroidApp(package: "com.example.shop", fingerprints: [Self.fingerprint])
    ]
    return both
  }

  @Test(arguments: ["GET", "HEAD"])
  func `both are served as JSON, to anybody and without a redirect`(method: String) async throws {
    let found = try await answers(both, method: method)
    for response in found {
      #expect(response.status == 200)
      #expect(response.headers["Content-Type"] == "application/json")
      #expect(response.headers["Cache-Control"] == "public, max-age=3600")
      #expect(response.headers["Location"] == nil)
    }
    #expect(try Self.goldenApple.isSaid(by: found[0].body))
    #expect(try Self.goldenAndroid.isSaid(by: found[1].body))
  }

  @Test func `the bodies are those of the documents`() throws {
    #expect(try Self.goldenApple.violations() == [])
    #expect(try Self.goldenAndroid.violations() == [])
  }

  @Test func `what is not set is not there`() async throws {
    #expect(try await answers(AppAssociations()).map(\.status) == [404, 404])
    var one = both
    one.androidApps = []
    #expect(try await answers(one).map(\.status) == [200, 404])
    one = both
    one.appleAppIDs = []
    #expect(try await answers(one).map(\.status) == [404, 200])
  }

  @Test func `nothing is written there`() async throws {
    #expect(try await answers(both, method: "POST").map(\.status) == [405, 405])
  }
}
