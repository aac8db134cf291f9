import HTTPExchange
import MerchantAPI
import StrictJSON

/// The apps that may open the server's addresses as links of their own: what the two systems fetch
/// before they hand an https return to an app.
public struct AppAssociations: Hashable, Sendable {
  /// An app for Android.
  public struct AndroidApp: Hashable, Sendable {
    /// Its application id: `com.example.shop`.
    public var package: String
    /// SHA-256 fingerprints of the certificates that it is signed with: upper-case hexadecimal
    /// pairs with colons between.
    public var fingerprints: [String]

    /// Collects the two.
    public init(package: String, fingerprints: [String]) {
      self.package = package
      self.fingerprints = fingerprints
    }
  }

  /// Apps for Apple's systems, team and bundle: `ABCDE12345.com.example.shop`.
  public var appleAppIDs: [String] = []
  /// Apps for Android.
  public var androidApps: [AndroidApp] = []
  /// The paths that Apple's systems open in the app; `*` is any text. Android's paths stand in the
  /// app's manifest.
  public var linkPaths = "/return/*"

  /// No app.
  public init() {}

  /// As Apple's *Supporting associated domains* writes it, in the form of iOS 13 and later.
  var apple: JSONValue? {
    guard !appleAppIDs.isEmpty else { return nil }
    let detail = JSONValue.object([
      "appIDs": .array(appleAppIDs.map { .string($0) }),
      "components": .array([.object(["/": .string(linkPaths)])]),
    ])
    return .object(["applinks": .object(["details": .array([detail])])])
  }

  /// As Android's *Verify App Links* writes it.
  var android: JSONValue? {
    guard !androidApps.isEmpty else { return nil }
    return .array(
      androidApps.map { app in
        .object([
          "relation": .array([.string("delegate_permission/common.handle_all_urls")]),
          "target": .object([
            "namespace": .string("android_app"), "package_name": .string(app.package),
            "sha256_cert_fingerprints": .array(app.fingerprints.map { .string($0) }),
          ]),
        ])
      })
  }
}

extension MerchantServer {
  /// A file below `/.well-known`. Neither system follows a redirect there, and both want JSON under
  /// a name without `.json` too.
  func showAssociation(_ file: JSONValue?) throws(Problem) -> HTTPResponse {
    guard let file else { throw Problem(.notFound, "There is no such path.") }
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "application/json",
        // An hour: a new app or certificate is known the same day.
        "Cache-Control": "public, max-age=3600", "X-Content-Type-Options": "nosniff",
      ], body: file.serialized())
  }
}
