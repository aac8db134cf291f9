import PaymentModels
import SystemRuntime
import TabbyProvider
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Secrets of the server")
struct SecretTests {
  private static let secrets = [
    ("TILL_TABBY_SECRET_KEY", "tabby[0].secret_key"),
    ("TILL_OPERATOR_KEY", "operator_keys[0].key"),
    ("TILL_TABBY_WEBHOOK_SECRET", "tabby[0].webhook_header.values[0]"),
    ("TILL_FULFILMENT_SECRET", "fulfilment.secret"),
  ]

  private static let unusable: [String?] = [
    nil, "", "  \t\n", "changeme", "CHANGE_ME", "change-me-please", "<your key>", "your-secret-key",
    "YOUR_KEY_HERE", "placeholder", "secret", "password", "None", "xxxxxxxxxxxxxxxxxxxx",
    "sk_test_xxxxxxxx", "sk_test_...", "sk_test_changeme", "sk_test_<key>", "sk_your_key_here",
    "0000000000000000", "${TILL_KEY}", "{{ key }}", "…", "a secret with spaces in it",
    "first-line-of-a-file\nsecond-line", "schlüssel-mit-umlaut",
  ]

  @Test(arguments: secrets)
  func `a secret that is missing, blank, a placeholder or no word is refused by name`(
    variable: String, setting: String
  ) async throws {
    try await withTemporaryDirectory { directory in
      for value in Self.unusable {
        let refusal = try ShopFiles().setting(variable, to: value).refusal(in: directory)
        #expect(refusal?.setting == setting, "\(value ?? "not set")")
        #expect(refusal?.reason.contains(variable) == true)
      }
    }
  }

  @Test(
    arguments: [
      "op_6cd4f4b2a91e", "your", "Tr0ub4dor&3-and-more", "passwordless-but-long-4711",
      "9f86d081884c7d659a2feaa0c55ad015",
    ])
  func `what merely resembles a placeholder is a secret`(value: String) {
    #expect(!isPlaceholder(value))
  }

  @Test(arguments: [("TILL_OPERATOR_KEY", 15), ("TILL_FULFILMENT_SECRET", 15)])
  func `a secret of our own choosing has 16 characters at least`(
    variable: String, length: Int
  ) async throws {
    try await withTemporaryDirectory { directory in
      let long = String("kx9-27fj4hd8s6g5q".prefix(length + 1))
      let files = ShopFiles()
      #expect(try files.setting(variable, to: long).refusal(in: directory) == nil)
      let short = try files.setting(variable, to: String(long.dropLast())).refusal(in: directory)
      #expect(short?.reason == "the environment variable \(variable) is shorter than 16 characters")
    }
  }

  @Test(arguments: ["sk_test_5up3r_s3cret", "5UP3R-s3cret", "SCHL\u{DC}SSEL"])
  func `a secret in the place of its variable's name is not shown`(secret: String) async throws {
    try await withTemporaryDirectory { directory in
      let files = ShopFiles().replacing("TILL_TABBY_SECRET_KEY", with: secret)
      let refusal = try files.refusal(in: directory)
      #expect(refusal?.setting == "tabby[0].secret_key")
      #expect(refusal?.reason.hasPrefix("names no environment variable that is set") == true)
      #expect(refusal?.reason.contains(secret) == false)
    }
  }

  @Test(
    arguments: [
      "\"sk_test_5up3r-s3cret\"", "{\"value\": \"sk_test_5up3r-s3cret\"}", "{}", "null",
      "{\"env\": \"TILL_TABBY_SECRET_KEY\", \"file\": \"key\"}", "{\"env\": 1}",
      "[\"sk_test_5up3r-s3cret\"]",
    ])
  func `a secret never stands in the settings`(json: String) async throws {
    try await withTemporaryDirectory { directory in
      let files = ShopFiles().replacing("{\"env\": \"TILL_TABBY_SECRET_KEY\"}", with: json)
      let refusal = try files.refusal(in: directory)
      #expect(refusal?.setting == "tabby[0].secret_key")
      #expect(refusal?.reason.contains("5up3r") == false)
    }
  }

  @Test func `a secret can lie in a file that its owner alone reads`() async throws {
    try await withTemporaryDirectory { directory in
      let files = ShopFiles().replacing(
        "{\"env\": \"TILL_TABBY_SECRET_KEY\"}", with: "{\"file\": \"tabby.key\"}")
      let path = "\(directory)/tabby.key"
      let setting = "tabby[0].secret_key"
      #expect(try files.refusal(in: directory)?.setting == setting)

      try Files.replace(path, with: Array("\(ShopFiles.tabbyKey)\n".utf8), mode: 0o600)
      let keys = try files.configuration(in: directory).tabby.map { $0.secretKey.reveal() }
      #expect(keys == [ShopFiles.tabbyKey])

      for mode: UInt32 in [0o640, 0o604, 0o660] {
        try Files.replace(path, with: Array(ShopFiles.tabbyKey.utf8), mode: mode)
        let refusal = try files.refusal(in: directory)
        #expect(
          refusal?.reason
            == "the file \(path) can be read by other users; run chmod 600 on it")
      }

      let tooLong = [UInt8](repeating: 0x61, count: SettingsSource.secretBytesMax + 1)
      try Files.replace(path, with: tooLong, mode: 0o600)
      #expect(try files.refusal(in: directory)?.setting == setting)
    }
  }

  @Test func `no message shows a secret`() async throws {
    try await withTemporaryDirectory { directory in
      // Each secret where another belongs, and behind every kind of mistake.
      for (variable, _) in Self.secrets {
        for value in ["5up3r\ns3cret", "5up3r s3cret", "sk_5up3r-s3cret", "pk_5up3r-s3cret"] {
          let refusal = try ShopFiles().setting(variable, to: value).refusal(in: directory)
          #expect(refusal.map { "\($0)".contains("5up3r") } != true)
        }
      }
    }
  }

  @Test func `an operator key that is an app token too is refused`() async throws {
    try await withTemporaryDirectory { directory in
      var files = ShopFiles()
      let hash = FileAuthenticator.hash(.init(ShopFiles.operatorKey))
      files.tokens = "{\"tokens\": [{\"subject\": \"u\", \"token_sha256\": \"\(hash)\"}]}"
      let refusal = try files.refusal(in: directory)
      #expect(refusal?.setting == "operator_keys[0].key")
    }
  }
}
