import FulfilmentOutbox
import PaymentModels
import PaymentStore
import SystemRuntime
import TabbyProvider
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Configuration of the server")
struct ServerConfigurationTests {
  @Test(arguments: [(0, false), (1, true), (45, true), (46, false)])
  func `the shop has 1 to 45 s for its answer`(seconds: Int, isTaken: Bool) async throws {
    try await withTemporaryDirectory { directory in
      var files = ShopFiles()
      files.settings = files.settings.replacing(
        "\"fulfilment\": {\"url\"",
        with: "\"fulfilment\": {\"timeout_seconds\": \(seconds), \"url\"")
      let configuration = try? files.configuration(in: directory)
      let wanted: Duration? = isTaken ? .seconds(seconds) : nil
      #expect(configuration?.fulfilment?.deadline == wanted)
    }
  }

  @Test func `what is right is read, with paths counted from the file`() async throws {
    try await withTemporaryDirectory { directory in
      let configuration = try ShopFiles().configuration(in: directory)
      #expect(configuration.address == "127.0.0.1")
      #expect(configuration.port == 8_081)
      #expect(configuration.database == "\(directory)/till.sqlite")
      #expect(configuration.appReturnBase == "myshop://checkout")
      #expect(configuration.tabby.map(\.account) == [ProviderAccount("main")])
      #expect(configuration.tabby.map(\.mode) == [.test])
      #expect(configuration.tabby.map(\.baseURL) == ["https://api.tabby.ai"])
      #expect(configuration.fulfilment?.url == "http://127.0.0.1:9000/orders")
      #expect(configuration.fulfilment?.deadline == .seconds(15))
      #expect(configuration.readGap == .seconds(2))
      #expect(configuration.drainGrace == .seconds(10))
      #expect(configuration.policy.capture == .automatic)
      #expect(configuration.policy.fulfilOn == .captured)
    }
  }

  @Test func `variables stand before the file`() async throws {
    try await withTemporaryDirectory { directory in
      var files = ShopFiles()
      files.environment["TILL_LISTEN_ADDRESS"] = "::1"
      files.environment["TILL_LISTEN_PORT"] = "0"
      files.environment["TILL_DATABASE"] = "/var/lib/till/other.sqlite"
      let configuration = try files.configuration(in: directory)
      #expect(configuration.address == "::1")
      #expect(configuration.port == 0)
      #expect(configuration.database == "/var/lib/till/other.sqlite")
    }
  }

  @Test func `a live key with everything that goes with it is live`() async throws {
    try await withTemporaryDirectory { directory in
      let live = "sk_00000000-0000-4000-8000-000000000001"
      let files = ShopFiles().setting("TILL_TABBY_SECRET_KEY", to: live)
      let modes = try files.configuration(in: directory).tabby.map(\.mode)
      #expect(modes == [.live])
    }
  }

  private static let wrongSettings: [(part: String, other: String, setting: String)] = [
    ("\"listen_port\": 8081", "\"listen_port\": 65536", "listen_port"),
    ("\"listen_port\": 8081", "\"listen_port\": -1", "listen_port"),
    ("\"listen_port\": 8081", "\"listen_port\": \"8081\"", "listen_port"),
    ("\"listen_port\": 8081", "\"listen_port\": 8081.0", "listen_port"),
    ("\"listen_port\": 8081", "\"listen_prt\": 8081", "listen_prt"),
    ("\"database\": \"till.sqlite\",", "", "database"),
    ("\"database\": \"till.sqlite\"", "\"database\": \" \"", "database"),
    ("\"database\": \"till.sqlite\"", "\"database\": null", "database"),
    ("\"myshop://checkout\"", "\"myshop\"", "app_return_base"),
    ("\"myshop://checkout\"", "\"myshop://checkout?a=1\"", "app_return_base"),
    ("\"myshop://checkout\"", "\"myshop://checkout/\"", "app_return_base"),
    ("\"catalogue\": \"catalogue.json\"", "\"catalogue\": \"gone.json\"", "catalogue"),
    ("\"catalogue\": \"catalogue.json\"", "\"catalogue\": []", "catalogue"),
    ("[{\"key\": {\"env\": \"TILL_OPERATOR_KEY\"}, \"name\": \"anna\"}]", "[]", "operator_keys"),
    (
      "[{\"key\": {\"env\": \"TILL_OPERATOR_KEY\"}, \"name\": \"anna\"}]",
      "{\"env\": \"TILL_OPERATOR_KEY\"}", "operator_keys"
    ),
    (
      "[{\"key\": {\"env\": \"TILL_OPERATOR_KEY\"}, \"name\": \"anna\"}]",
      "[{\"env\": \"TILL_OPERATOR_KEY\"}]", "operator_keys[0]"
    ),
    (", \"name\": \"anna\"", "", "operator_keys[0].name"),
    ("\"name\": \"anna\"", "\"name\": \"an na\"", "operator_keys[0].name"),
    (
      "\"name\": \"anna\"", "\"name\": \"\(String(repeating: "a", count: 41))\"",
      "operator_keys[0].name"
    ),
    ("\"name\": \"anna\"", "\"name\": \"anna\", \"role\": \"all\"", "operator_keys[0].role"),
    ("\"account\": \"main\", ", "", "tabby[0].account"),
    ("\"emirates_and_kuwait\"", "\"mars\"", "tabby[0].region"),
    ("\"merchant_code\": \"AE\"", "\"merchant_code\": 7", "tabby[0].merchant_code"),
    ("\"merchant_code\"", "\"merchantCode\"", "tabby[0].merchantCode"),
    ("\"region\"", "\"base_url\": \"http://api.tabby.ai\", \"region\"", "tabby[0].base_url"),
    ("\"title\": \"X-Webhook-Token\",", "", "tabby[0].webhook_header.title"),
    (
      "\"http://127.0.0.1:9000/orders\"", "\"ftp://127.0.0.1/orders\"", "fulfilment.url"
    ),
    (
      "\"http://127.0.0.1:9000/orders\"", "\"http://shop:word@127.0.0.1/orders\"", "fulfilment.url"
    ),
    ("\"fulfilment\": {", "\"fulfilment\": {\"secert\": 1, ", "fulfilment.secert"),
    ("\"fulfilment\": {", "\"read_gap_ms\": 99, \"fulfilment\": {", "read_gap_ms"),
    ("\"fulfilment\": {", "\"read_gap_ms\": 60001, \"fulfilment\": {", "read_gap_ms"),
    ("\"fulfilment\": {", "\"language\": \"Arabic\", \"fulfilment\": {", "language"),
    ("\"fulfilment\": {", "\"language\": \"fr\", \"fulfilment\": {", "language"),
    ("\"fulfilment\": {", "\"late_money\": \"keep\", \"fulfilment\": {", "late_money"),
    ("\"fulfilment\": {", "\"lapse_after_hours\": 0, \"fulfilment\": {", "lapse_after_hours"),
    ("\"fulfilment\": {", "\"lapse_after_hours\": 721, \"fulfilment\": {", "lapse_after_hours"),
    ("\"fulfilment\": {", "\"drain_seconds\": 0, \"fulfilment\": {", "drain_seconds"),
    ("\"fulfilment\": {", "\"drain_seconds\": 301, \"fulfilment\": {", "drain_seconds"),
    ("\"fulfilment\": {", "\"capture\": \"later\", \"fulfilment\": {", "capture"),
    ("\"fulfilment\": {", "\"fulfil_on\": true, \"fulfilment\": {", "fulfil_on"),
  ]

  @Test(arguments: wrongSettings)
  func `a wrong setting is named`(part: String, other: String, setting: String) async throws {
    try await withTemporaryDirectory { directory in
      let refusal = try ShopFiles().replacing(part, with: other).refusal(in: directory)
      #expect(refusal?.setting == setting)
    }
  }

  @Test(
    arguments: [
      ("TILL_LISTEN_PORT", "65536"), ("TILL_LISTEN_PORT", "-1"), ("TILL_LISTEN_PORT", ""),
      ("TILL_LISTEN_PORT", "http"), ("TILL_LISTEN_ADDRESS", " "), ("TILL_DATABASE", ""),
    ])
  func `a wrong variable is named`(variable: String, value: String) async throws {
    try await withTemporaryDirectory { directory in
      let refusal = try ShopFiles().setting(variable, to: value).refusal(in: directory)
      #expect(refusal?.setting == variable)
    }
  }

  @Test func `the examples of the documentation are read`() async throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
    let page = String(
      decoding: try Files.read("\(root)/Docs/Operations.md", bytesMax: 1 << 20), as: UTF8.self)
    let examples = page.split(separator: "```json\n").dropFirst().map {
      String($0.prefix(while: { $0 != "`" }))
    }
    try #require(examples.count == 4)
    try await withTemporaryDirectory { directory in
      var files = ShopFiles()
      files.catalogue = examples[0]
      files.buyers = examples[1]
      files.tokens = examples[2]
      files.settings = examples[3]
      let configuration = try files.configuration(in: directory)
      #expect(configuration.tabby.count == 1)
      #expect(configuration.drainGrace == .seconds(10))
    }
  }

  @Test func `a file that is missing or no JSON is named`() async throws {
    try await withTemporaryDirectory { directory in
      #expect(throws: ConfigurationError.self) {
        try ServerConfiguration(file: "\(directory)/none.json", environment: [:])
      }
      var files = ShopFiles()
      files.settings = "{\"listen_port\": 1, \"listen_port\": 2}"
      let repeated = try files.refusal(in: directory)
      #expect(repeated?.setting == "--config")
      files.settings = "[]"
      #expect(
        try files.refusal(in: directory)
          == ConfigurationError("--config", "must be a JSON object"))
    }
  }

  @Test func `an account stands once`() async throws {
    try await withTemporaryDirectory { directory in
      let second = ShopFiles().replacing("}}],\n", with: "}},\(Self.account("main"))],\n")
        .setting("OTHER", to: ShopFiles.tabbyKey)
      let refusal = try second.refusal(in: directory)
      #expect(refusal == ConfigurationError("tabby", "names an account twice"))
    }
  }

  @Test func `what is missing is named as a person looks for it`() async throws {
    try await withTemporaryDirectory { directory in
      var files = ShopFiles()
      files.catalogue = "[]"
      let misshapen = try files.refusal(in: directory)
      #expect(
        misshapen
          == ConfigurationError("catalogue", "must be a JSON object whose one member is products"))
      files = ShopFiles()
      files.settings = """
        {"database": "till.sqlite", "app_return_base": "myshop://checkout",
         "catalogue": "catalogue.json", "buyers": "buyers.json", "app_tokens": "app-tokens.json",
         "operator_keys": [{"name": "anna", "key": {"env": "TILL_OPERATOR_KEY"}}]}
        """
      let alone = try files.refusal(in: directory)
      #expect(
        alone
          == ConfigurationError(
            ServerConfiguration.providerNames.joined(separator: ", "), "one of them is needed"))
    }
  }

  @Test func `test and live keys never stand in one server`() async throws {
    try await withTemporaryDirectory { directory in
      let mixed = ShopFiles().replacing("}}],\n", with: "}},\(Self.account("live"))],\n")
        .setting("OTHER", to: "sk_00000000-0000-4000-8000-000000000001")
      let refusal = try mixed.refusal(in: directory)
      #expect(refusal?.setting == "tabby")
      #expect(refusal?.reason == "mixes test and live keys; run one server for each")
    }
  }

  @Test(
    arguments: [
      "http://127.0.0.1:4010", "http://localhost:4010", "http://[::1]:4010",
      "https://sandbox.example.com",
    ])
  func `a live key goes to Tabby alone`(url: String) async throws {
    try await withTemporaryDirectory { directory in
      let files = ShopFiles().replacing("\"region\"", with: "\"base_url\": \"\(url)\", \"region\"")
      let test = try files.refusal(in: directory)
      #expect(test == nil)
      let live = files.setting(
        "TILL_TABBY_SECRET_KEY", to: "sk_00000000-0000-4000-8000-000000000001")
      let refusal = try live.refusal(in: directory)
      #expect(refusal?.setting == "tabby[0].base_url")
    }
  }

  private static func account(_ name: String) -> String {
    "{\"account\": \"\(name)\", \"merchant_code\": \"AE\", \"secret_key\": {\"env\": \"OTHER\"},"
      + "\"webhook_header\": {\"title\": \"X-T\","
      + "\"values\": [{\"env\": \"TILL_TABBY_WEBHOOK_SECRET\"}]}}"
  }
}
