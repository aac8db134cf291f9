import MerchantServer
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Ways back to the app in the configuration")
struct AppLinkConfigurationTests {
  private static let fingerprint = Array(repeating: "0A", count: 32).joined(separator: ":")

  private func files(_ members: String, base: String = "myshop://checkout") -> ShopFiles {
    ShopFiles().replacing("\"listen_port\": 8081", with: "\"listen_port\": 8081, \(members)")
      .replacing("\"myshop://checkout\"", with: "\"\(base)\"")
  }

  private static func android(
    package: String = "com.example.shop", fingerprint: String = fingerprint
  ) -> String {
    #""android_apps": [{"package": "\#(package)", "#
      + #""sha256_cert_fingerprints": ["\#(fingerprint)"]}]"#
  }

  @Test func `no app opens addresses unless it is named`() async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try ShopFiles().configuration(in: directory)
      #expect(configuration.associations == AppAssociations())
      #expect(configuration.appDeepLink == "myshop://checkout")
    }
  }

  @Test func `apps and the link of the return page are read`() async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try files(
        "\"app_deep_link\": \"myshop://pay\", \"apple_app_ids\": [\"ABCDE12345.com.example.shop\"],"
          + Self.android(), base: "https://pay.shop.example/return"
      ).configuration(in: directory)
      #expect(configuration.appReturnBase == "https://pay.shop.example/return")
      #expect(configuration.appDeepLink == "myshop://pay")
      let associations = configuration.associations
      #expect(associations.appleAppIDs == ["ABCDE12345.com.example.shop"])
      #expect(associations.androidApps.map(\.package) == ["com.example.shop"])
      #expect(associations.androidApps.map(\.fingerprints) == [[Self.fingerprint]])
      #expect(associations.linkPaths == "/return/*")
    }
  }

  @Test(
    arguments: [
      ("myshop://checkout", "/return/*"), ("https://pay.shop.example", "/*"),
      ("https://shop.example/a/back", "/a/back/*"),
    ])
  func `the paths are those that payers come back to`(base: String, paths: String) async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try files("\"drain_seconds\": 1", base: base).configuration(in: directory)
      #expect(configuration.associations.linkPaths == paths)
    }
  }

  @Test(arguments: ["https://pay.shop.example/return", "HTTPS://pay.shop.example/shop/return"])
  func `a return page that leads to itself is refused`(base: String) async throws {
    try await withTemporaryDirectory { directory in
      let refusal = try files("\"drain_seconds\": 1", base: base).refusal(in: directory)
      #expect(refusal?.setting == "app_deep_link")
    }
  }

  static let wrong: [(members: String, setting: String)] = [
    ("\"app_deep_link\": \"https://shop.example/pay\"", "app_deep_link"),
    ("\"app_deep_link\": \"myshop://pay/\"", "app_deep_link"),
    ("\"app_deep_link\": \"myshop://pay?a=b\"", "app_deep_link"),
    ("\"app_deep_link\": \"myshop\"", "app_deep_link"),
    ("\"apple_app_ids\": []", "apple_app_ids"), ("\"apple_app_ids\": [7]", "apple_app_ids"),
    ("\"apple_app_ids\": [\"com.example.shop\"]", "apple_app_ids[0]"),
    ("\"apple_app_ids\": [\"abcde12345.com.example\"]", "apple_app_ids[0]"),
    ("\"apple_app_ids\": [\"ABCDE12345.a\", \"ABCDE12345.\"]", "apple_app_ids[1]"),
    ("\"apple_app_ids\": [\"ABCDE12345.com.*\"]", "apple_app_ids[0]"),
    ("\"android_apps\": []", "android_apps"),
    (
      "\"android_apps\": [{\"package\": \"com.example\"}]",
      "android_apps[0].sha256_cert_fingerprints"
    ),
    (android(package: "shop"), "android_apps[0].package"),
    (android(package: "com..shop"), "android_apps[0].package"),
    (android(package: "com.1shop"), "android_apps[0].package"),
    (
      android(fingerprint: fingerprint.lowercased()),
      "android_apps[0].sha256_cert_fingerprints[0]"
    ),
    (android(fingerprint: fingerprint + ":0A"), "android_apps[0].sha256_cert_fingerprints[0]"),
    (
      android(fingerprint: String(fingerprint.dropLast(3))),
      "android_apps[0].sha256_cert_fingerprints[0]"
    ),
  ]

  @Test(arguments: wrong)
  func `a wrong setting is named`(members: String, setting: String) async throws {
    try await withTemporaryDirectory { directory in
      let refusal = try files(members).refusal(in: directory)
      #expect(refusal?.setting == setting)
    }
  }
}
