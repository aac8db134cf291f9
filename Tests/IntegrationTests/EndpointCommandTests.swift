import CommandLineParser
import FutaProvider
import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import ProviderInterface
import ProviderSandbox
import StrictJSON
import SystemRuntime
import TabbyProvider
import TestSupport
import Testing

@Suite("till endpoint against the Tabby sandbox")
struct EndpointCommandTests {
  private static let origin = "http://127.0.0.1:9080"
  private static let secret = "whk_5up3r-s3cret-webhook"

  private struct Ran {
    var code: Int32
    var output: String
    var errors: [String]

    var json: JSONValue { (try? JSONValue(parsing: Array(output.utf8))) ?? .null }
  }

  /// Accounts at one sandbox, with the commands of an operator.
  private struct World {
    let sandbox: TabbySandbox
    let transport: ClosureTransport
    var values = [secret]
    var accounts = ["main"]

    init(failing status: Int? = nil) {
      let environment = KitEnvironment.test(ManualClock())
      let sandbox = TabbySandbox(
        settings: TabbySandboxSettings(), environment: environment,
        transport: ClosureTransport { _ in HTTPResponse(status: 200) }, publicURL: origin)
      self.sandbox = sandbox
      transport = ClosureTransport { request in
        if let status, request.method != "GET" { return HTTPResponse(status: status) }
        var headers = request.headers
        headers.add("Host", "127.0.0.1:9080")
        return await sandbox.respond(
          to: HTTPRequest(
            method: request.method, target: String(request.url.dropFirst(origin.count)),
            headers: headers, body: request.body, peer: "127.0.0.1"))
      }
    }

    private func providers(_ transport: any HTTPTransport) throws -> [any PaymentProvider] {
      let environment = KitEnvironment.test(ManualClock())
      var futa = FutaSettings(baseURL: origin)
      futa.mode = .test
      let header = try TabbyWebhookHeader(
        title: "X-Webhook-Token", values: values.map { Secret($0) })
      return try accounts.map { name in
        try TabbyProvider(
          TabbyConfiguration(
            account: ProviderAccount(name), secretKey: TabbySandboxSettings.demoSecretKey,
            merchantCode: name == "main" ? "AE" : "KW", region: .emiratesAndKuwait,
            baseURL: origin, webhookHeader: header),
          transport: transport, hashing: environment.hashing)
      } + [
        FutaProvider(
          FutaConfiguration(
            account: ProviderAccount("main"), secretKey: Secret("futa_test_1"), settings: futa),
          transport: transport, environment: environment)
      ]
    }

    func run(_ line: String, over other: (any HTTPTransport)? = nil) async throws -> Ran {
      let output = Locked("")
      let errors = Locked<[String]>([])
      let words = (line + " --config till-server.json").split(separator: " ").map(String.init)
      guard case .run(.endpoint(let command, let file, let asJSON)) = tillCommand.parse(words)
      else {
        return Ran(code: 64, output: "", errors: ["not a webhook command: \(line)"])
      }
      #expect(file == "till-server.json")
      let runner = EndpointRunner(
        providers: try providers(other ?? transport),
        terminal: Terminal(
          isInteractive: false, usesColor: false,
          write: { text in output.withLock { $0 += text } },
          complain: { line in errors.withLock { $0.append(line) } }))
      let code = await runner.run(command, asJSON: asJSON)
      return Ran(code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 })
    }

    var writes: [String] { transport.sent.map(\.method).filter { $0 != "GET" } }
  }

  private func url(_ number: Int) -> String { "https://shop.example/\(number)/webhooks/tabby" }

  @Test func `a webhook is registered once, and said to be for the test key alone`() async throws {
    let world = World()
    let first = try await world.run("endpoint register \(url(1))")
    #expect(first.code == 0)
    let id = try await world.run("endpoint list --json").json["webhooks"]?[0]?["webhook_id"]?.text
    #expect(
      first.output == """
        webhook  \(id ?? "none")
        change   added
        url      \(url(1))
        header   X-Webhook-Token
        note     for the test key of account main alone; a live key needs its own registration

        """)
    let again = try await world.run("endpoint register \(url(1))")
    #expect(again.output == first.output.replacing("added", with: "unchanged"))
    #expect(world.writes == ["POST"])
  }

  @Test func `after a change of the secret the same command changes it at Tabby`() async throws {
    var world = World()
    _ = try await world.run("endpoint register \(url(1))")
    world.values = ["whk_n3w-s3cret-webhook", Self.secret]
    let listed = try await world.run("endpoint list")
    #expect(listed.output.contains("X-Webhook-Token (not as the settings say)"))
    let again = try await world.run("endpoint register \(url(1)) --json")
    #expect(again.json["change"]?.text == "updated")
    #expect(again.json["webhook"]?["is_current"]?.boolean == true)
    #expect(world.writes == ["POST", "PUT"])
    #expect(try await world.run("endpoint list --json").json["webhooks"]?.elements?.count == 1)
  }

  @Test func `the fourth is the last, and a fifth is not even asked for`() async throws {
    let world = World()
    for number in 1...4 {
      #expect(try await world.run("endpoint register \(url(number))").code == 0)
    }
    let fifth = try await world.run("endpoint register \(url(5))")
    #expect(fifth.code == 1)
    #expect(
      fifth.errors == [
        "error: tabby main: 4 webhooks are registered and 4 are allowed; remove one first"
      ])
    #expect(world.writes.count == 4)
    // One that is there is no fifth.
    #expect(try await world.run("endpoint register \(url(4))").code == 0)
  }

  @Test func `what the list shows can be removed, and makes room`() async throws {
    let world = World()
    for number in 1...4 { _ = try await world.run("endpoint register \(url(number))") }
    let list = try await world.run("endpoint list --json").json
    #expect(list["webhooks_max"]?.int64 == 4)
    #expect(list["key_mode"]?.text == "test")
    let id = list["webhooks"]?[0]?["webhook_id"]?.text ?? ""
    let removed = try await world.run("endpoint remove \(id)")
    #expect(removed.output == "removed  \(id)\n")
    let gone = try await world.run("endpoint remove \(id) --json")
    #expect(gone.code == 66)
    #expect(gone.errors == ["error: tabby main: there is no such webhook"])
    #expect(try await world.run("endpoint register \(url(5))").code == 0)
  }

  @Test func `an empty list says how many there may be`() async throws {
    let ran = try await World().run("endpoint list")
    #expect(
      ran.output == "0 of 4 webhooks, for the test key of account main alone; "
        + "a live key needs its own registration\n")
  }

  @Test func `a secret is never shown`() async throws {
    let world = World()
    for line in ["register \(url(1))", "list", "list --json", "register \(url(1)) --json"] {
      let ran = try await world.run("endpoint \(line)")
      #expect(ran.code == 0)
      #expect(!ran.output.contains(Self.secret))
      #expect(!ran.output.contains(TabbySandboxSettings.demoSecretKey.reveal()))
    }
  }

  @Test func `each account has webhooks of its own, and one of several must be named`() async throws
  {
    var world = World()
    world.accounts = ["main", "kuwait"]
    let unnamed = try await world.run("endpoint register \(url(1))")
    #expect(unnamed.code == 65)
    #expect(
      unnamed.errors == [
        "error: tabby has several accounts: name one of main, kuwait with --account"
      ])
    #expect(try await world.run("endpoint register \(url(1)) --account kuwait").code == 0)
    let main = try await world.run("endpoint list --account main --json")
    #expect(main.json["webhooks"]?.elements?.isEmpty == true)
  }

  @Test func `a provider without an API says where to do it`() async throws {
    let world = World()
    for line in ["list", "register https://shop.example/webhooks/futa", "remove w-1"] {
      let ran = try await world.run("endpoint \(line) --provider futa")
      #expect(ran.code == 65)
      #expect(
        ran.errors == [
          "error: futa has no API for webhooks: enter your server's URL, with /webhooks/futa at "
            + "the end, with Futa itself, whose page does not say where"
        ])
    }
    #expect(world.transport.sent.isEmpty)
  }

  @Test func `an address at which the server takes no webhook is warned of`() async throws {
    let world = World()
    let ran = try await world.run("endpoint register https://shop.example/hooks")
    #expect(ran.code == 0)
    #expect(
      ran.errors == [
        "warning: the server takes this provider's webhooks at /webhooks/tabby alone"
      ])
  }

  @Test func `an account that the settings do not have is not found`() async throws {
    let world = World()
    let known = "they have tabby main, futa main"
    let provider = try await world.run("endpoint list --provider rais")
    #expect(provider.code == 66)
    #expect(provider.errors == ["error: the settings have no account rais; \(known)"])
    let account = try await world.run("endpoint list --account other")
    #expect(account.errors == ["error: the settings have no account tabby other; \(known)"])
  }

  @Test(
    arguments: [
      ("endpoint register http://shop.example/webhooks/tabby", 500, 75),
      ("endpoint register https://shop.example/webhooks/tabby", 400, 75),
      ("endpoint register https://shop.example/webhooks/tabby", 401, 77),
      ("endpoint remove w-1", 429, 69), ("endpoint remove w-1", 404, 66),
      ("endpoint register ftp://shop.example/webhooks/tabby", 200, 65),
      ("endpoint remove ../payments", 200, 65),
    ] as [(String, Int, Int32)])
  func `each failure has its code and one line`(
    line: String, status: Int, code: Int32
  ) async throws {
    let ran = try await World(failing: status).run(line)
    #expect(ran.code == code)
    #expect(ran.errors.count == 1 && ran.errors[0].hasPrefix("error: tabby main: "))
    #expect(ran.output.isEmpty)
  }

  @Test func `a list that cannot be had is no unknown end`() async throws {
    let down = ClosureTransport { _ throws(HTTPTransportError) in
      throw HTTPTransportError(.unknown, reason: "reset")
    }
    #expect(try await World().run("endpoint list", over: down).code == 69)
  }
}
