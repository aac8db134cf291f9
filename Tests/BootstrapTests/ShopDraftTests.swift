import KitEnvironment
import MerchantCommands
import PaymentModels
import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

@Suite("till init")
struct ShopDraftTests {
  private struct Ran {
    var code: Int32
    var output: String
    var errors: String
  }

  private func run(
    _ providers: [String], in directory: String, sandbox: String? = nil, replaces: Bool = false
  ) -> Ran {
    let output = Locked("")
    let errors = Locked("")
    let terminal = Terminal(
      isInteractive: false, usesColor: false,
      write: { text in output.withLock { $0 += text } },
      complain: { line in errors.withLock { $0 += line } })
    let code = ShopDraftRunner(
      terminal: terminal, environment: .test(ManualClock()), program: "till"
    ).run(
      ShopDraftOptions(
        providers: providers, directory: directory, sandbox: sandbox, replaces: replaces))
    return Ran(code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 })
  }

  /// The variables of a file of them, as a shell and systemd have them.
  private func variables(_ path: String) throws -> [String: String] {
    let text = String(decoding: try Files.read(path, bytesMax: 1 << 16), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return try Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), String(try #require(parts.last)))
      })
  }

  private static let names = [
    "catalogue.json", "buyers.json", "app-tokens.json", "till-server.env", "till.env",
    "till-server.json",
  ]

  private func content(_ directory: String) -> [String: String] {
    var content: [String: String] = [:]
    for name in Self.names + Self.names.map({ "\($0).replaced" }) {
      guard let bytes = try? Files.read("\(directory)/\(name)", bytesMax: 1 << 16) else { continue }
      content[name] = String(decoding: bytes, as: UTF8.self)
    }
    return content
  }

  @Test func `what is written, and what is still to do, is said`() async throws {
    try await withTemporaryDirectory { parent in
      let ran = run(["tabby"], in: "\(parent)/shop")
      #expect(ran.code == 78)
      #expect(ran.errors.isEmpty)
      #expect(
        ran.output.replacing(parent, with: "DIR") == """
          written to DIR/shop:
            catalogue.json    a product to begin with
            buyers.json       a buyer for tests; for this user alone
            app-tokens.json   the hash of the app token; for this user alone
            till-server.env   the server's secrets; for this user alone
            till.env          what till takes; for this user alone
            till-server.json  the settings
          5 secrets were made.

          still to be filled in:
            tabby[0].merchant_code in till-server.json
                the code of the store that Tabby gave you, such as AE
            TILL_TABBY_SECRET_KEY in till-server.env
                the secret key for tests that Tabby gave you; it begins with sk_test_

          then:
            set -a; . DIR/shop/till-server.env; set +a
            till doctor --config DIR/shop/till-server.json --offline
            till-server --config DIR/shop/till-server.json

          """)
    }
  }

  @Test(arguments: ServerConfiguration.providerNames)
  func `what is listed is all that is missing, at each provider`(provider: String) async throws {
    try await withTemporaryDirectory { directory in
      let draft = try #require(
        AccountDraft.all(sandbox: nil).first { $0.name == provider }?.draft)
      let ran = run([provider], in: directory)
      #expect(ran.code == 78)
      let settings = "\(directory)/till-server.json"
      var text = try #require(content(directory)["till-server.json"])
      var variables = try variables("\(directory)/till-server.env")
      for need in draft.needs {
        #expect(ran.output.contains("  \(need.variable ?? need.setting) in till-server."))
        #expect(throws: ConfigurationError.self) {
          try ServerConfiguration(file: settings, environment: variables)
        }
        // As a person fills it in.
        if let variable = need.variable {
          #expect(variables.updateValue(need.standIn, forKey: variable) == "")
        } else {
          let member = try #require(need.setting.split(separator: ".").last)
          let blank = "\"\(member)\": \"\""
          #expect(text.contains(blank))
          text = text.replacing(blank, with: "\"\(member)\": \"\(need.standIn)\"")
          try Files.replace(settings, with: Array(text.utf8))
        }
      }
      let configuration = try ServerConfiguration(file: settings, environment: variables)
      #expect(configuration.accountKeys.map(\.provider.rawValue) == [provider])
    }
  }

  @Test func `with sandboxes everything is there at once`() async throws {
    try await withTemporaryDirectory { directory in
      let providers = ServerConfiguration.providerNames
      let ran = run(providers, in: directory, sandbox: "http://127.0.0.1:4999")
      #expect(ran.code == 0)
      #expect(ran.output.contains("\ntill-server starts with it:\n  till sandbox "))
      #expect(!ran.output.contains("doctor"))
      let variables = try variables("\(directory)/till-server.env")
      let configuration = try ServerConfiguration(
        file: "\(directory)/till-server.json", environment: variables)
      #expect(configuration.accountKeys.count == providers.count)
      #expect(configuration.catalogue.prices.count == providers.count)
    }
  }

  @Test func `secrets are new each time, in files of their owner alone`() async throws {
    try await withTemporaryDirectory { directory in
      let provider = ServerConfiguration.providerNames[0]
      let environment = KitEnvironment.test(ManualClock())
      let draft = try #require(AccountDraft.all(sandbox: nil).first?.draft)
      let shops = (0..<2).map { _ in
        ShopDraft(accounts: [draft], isComplete: false, environment: environment).environment
      }
      for (name, value) in shops[0] where !value.isEmpty { #expect(shops[1][name] != value) }
      #expect(run([provider], in: directory).code == 78)
      for name in Self.names {
        let isOpen = try Files.isOpenToOthers("\(directory)/\(name)")
        #expect(isOpen == ["catalogue.json", "till-server.json"].contains(name))
      }
      let ours = try variables("\(directory)/till-server.env").filter { !$0.value.isEmpty }
      let till = try variables("\(directory)/till.env")
      #expect(till["TILL_OPERATOR_KEY"] == ours["TILL_OPERATOR_KEY"])
      let token = try #require(till["TILL_APP_TOKEN"])
      for (name, text) in content(directory) where name.hasSuffix(".json") {
        for secret in ours.values + [token] { #expect(!text.contains(secret)) }
      }
      #expect(content(directory)["till-server.env"]?.contains(token) == false)
    }
  }

  @Test(arguments: names)
  func `a file that is there is kept, and nothing is written`(name: String) async throws {
    try await withTemporaryDirectory { directory in
      try Files.replace("\(directory)/\(name)", with: Array("mine".utf8))
      let refused = run([ServerConfiguration.providerNames[0]], in: directory)
      #expect(refused.code == 73)
      #expect(
        refused.errors == "error: \(directory)/\(name): is there already; --force replaces it")
      #expect(content(directory) == [name: "mine"])
      let forced = run([ServerConfiguration.providerNames[0]], in: directory, replaces: true)
      #expect(forced.code == 78)
      #expect(content(directory).count == Self.names.count + 1)
      #expect(content(directory)["\(name).replaced"] == "mine")
    }
  }

  @Test func `what cannot be written leaves everything as it was`() async throws {
    try await withTemporaryDirectory { directory in
      let provider = ServerConfiguration.providerNames[0]
      #expect(run([provider], in: "\(directory)/no/shop").code == 73)
      try Files.replace("\(directory)/file", with: [])
      #expect(run([provider], in: "\(directory)/file").code == 73)
      // The last of the files cannot take its place: a directory has its name.
      let shop = "\(directory)/shop"
      #expect(run([provider], in: shop).code == 78)
      try Files.removeTree("\(shop)/till-server.json")
      try Files.makeDirectory("\(shop)/till-server.json")
      let before = content(shop)
      let failed = run([provider], in: shop, replaces: true)
      #expect(failed.code == 73)
      #expect(failed.errors.hasPrefix("error: \(shop)/till-server.json: "))
      #expect(content(shop) == before)
    }
  }

  @Test func `a provider that is not built in is refused by name`() async throws {
    try await withTemporaryDirectory { directory in
      let ran = run(["paypal"], in: "\(directory)/shop")
      #expect(ran.code == 64)
      #expect(
        ran.errors == "error: paypal is no provider of this program; it has "
          + ServerConfiguration.providerNames.joined(separator: ", "))
      #expect(!Files.exists("\(directory)/shop"))
    }
  }

  @Test func `paths that are shown can be pasted into a shell`() async throws {
    try await withTemporaryDirectory { parent in
      let ran = run([ServerConfiguration.providerNames[0]], in: "\(parent)/a b'c")
      #expect(ran.output.contains(". '\(parent)/a b'\\''c/till-server.env'; set +a"))
    }
  }
}
