import CommandLineParser
import CurlTransport
import KitEnvironment
import MerchantCommands
import PaymentModels
import ProviderSandbox
import SystemRuntime

/// `till`: the command line as a process.
public enum TillProgram {
  /// Runs the program and returns its exit code.
  public static func run(_ arguments: [String]) async -> Int32 {
    await Program.run(tillCommand, arguments) { action in
      let variables = ProcessFacts.environment()
      let environment = try KitEnvironment.live(variables)
      switch action {
      case .ask(let request, let asJSON):
        return try await ask(request, asJSON, variables, environment)
      case .endpoint(let command, let settings, let asJSON):
        return try await endpoint(command, settings, asJSON, variables, environment)
      case .doctor(let settings, let asksProviders, let asJSON):
        return try await doctor(settings, asksProviders, asJSON, variables, environment)
      case .goLive(let settings, let publicURL, let asJSON):
        return try await goLive(settings, publicURL, asJSON, variables, environment)
      case .copyStore(let copy, let settings, let asJSON):
        let database = try ServerConfiguration.database(file: settings, environment: variables)
        return StoreCopying(database: database, terminal: terminal(variables))
          .run(copy, asJSON: asJSON)
      case .draft(let options):
        return ShopDraftRunner(terminal: terminal(variables), environment: environment)
          .run(options)
      case .open(let page, let inBrowser):
        return try await open(page, inBrowser: inBrowser, variables)
      case .providers(let format):
        let providers = try ServerConfiguration.demoProviders(environment: environment)
        Output.write(
          ProviderMatrix(providers).text(format, columnsMax: terminal(variables).columnsMax))
        return 0
      case .completions(let shell):
        Output.write(tillCommand.completions(for: shell))
        return 0
      case .sandbox(let options):
        return try await sandbox(options, variables, environment)
      case .conformance(let options):
        return try await ConformanceProgram.run(options, variables, environment)
      case .receive(let options):
        return try await ReceiverProgram.run(options, variables, environment)
      case .run:
        // Its own lines tell what happens; the log is for what goes wrong.
        let quiet = variables.merging(["TILL_LOG_LEVEL": "warning"]) { given, _ in given }
        return try await LocalStack.run(try KitEnvironment.live(quiet))
      }
    }
  }

  /// Where `till run` and the example settings have the merchant server.
  static let defaultServer = "http://127.0.0.1:8080"

  private static func ask(
    _ request: TillAction.Request, _ asJSON: Bool, _ variables: [String: String],
    _ environment: KitEnvironment
  ) async throws(ConfigurationError) -> Int32 {
    let server = try Program.serverURL(variables["TILL_SERVER"] ?? defaultServer)
    let transport = CurlTransport()
    let runner = TillRunner(
      connection: MerchantConnection(
        server: server,
        appToken: variables["TILL_APP_TOKEN"].map { Secret($0) },
        operatorKey: variables["TILL_OPERATOR_KEY"].map { Secret($0) }, transport: transport),
      terminal: terminal(variables), environment: environment, program: Program.nameAsTyped,
      zoneFile: zoneFile, readFile: { try Files.read($0, bytesMax: deliveryBytesMax) })
    let code = await runner.run(request, asJSON: asJSON)
    await transport.close()
    return code
  }

  static func terminal(_ variables: [String: String]) -> Terminal {
    // A dumb terminal shows the sequences that redraw a line as they are.
    let isTerminal = ProcessFacts.isTerminal(.output) && variables["TERM"] != "dumb"
    let noColor = variables["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Terminal(
      isInteractive: isTerminal, usesColor: isTerminal && !noColor,
      columnsMax: Terminal.columnsMax(
        ofTerminal: ProcessFacts.isTerminal(.output), variables: variables,
        measured: ProcessFacts.terminalColumns(.output)),
      write: { Output.write($0) }, complain: { Output.complain($0) })
  }

  private static func endpoint(
    _ command: EndpointCommand, _ settings: String, _ asJSON: Bool,
    _ variables: [String: String], _ environment: KitEnvironment
  ) async throws(ConfigurationError) -> Int32 {
    let configuration = try ServerConfiguration(file: settings, environment: variables)
    let transport = CurlTransport()
    let runner = EndpointRunner(
      providers: configuration.providers(transport: transport, environment: environment),
      terminal: terminal(variables))
    let code = await runner.run(command, asJSON: asJSON)
    await transport.close()
    return code
  }

  /// The key of a variable, if it is set.
  private static func testKey(
    _ variables: [String: String], _ name: String, _ prefix: String
  ) throws(ConfigurationError) -> [Secret] {
    guard let key = variables[name] else { return [] }
    guard key.hasPrefix(prefix) else {
      throw ConfigurationError(name, "must begin with \(prefix): a sandbox takes no live key")
    }
    return [Secret(key)]
  }

  private static func sandbox(
    _ options: SandboxOptions, _ variables: [String: String], _ environment: KitEnvironment
  ) async throws -> Int32 {
    var settings = TabbySandboxSettings()
    settings.isStrict = options.isStrict
    settings.keys += try testKey(variables, "TILL_TABBY_SECRET_KEY", "sk_test_")
    let raisKey = try testKey(variables, "TILL_RAIS_SECRET_KEY", "rais_sk_test_")
    let watch = try SignalWatch()
    defer { watch.close() }
    let transport = CurlTransport()
    let tebexKey = variables["TILL_TEBEX_SECRET_KEY"].map { [Secret($0)] } ?? []
    let futaKey = variables["TILL_FUTA_SECRET_KEY"].map { [Secret($0)] } ?? []
    let sebSecret = variables["TILL_SEB_CLIENT_SECRET"].map { [Secret($0)] } ?? []
    let sandbox = DemoSandbox(
      tabby: settings, futaKeys: [FutaSandboxSettings.demoSecretKey] + futaKey,
      raisKeys: [RaisSandboxSettings.demoSecretKey] + raisKey,
      tebexKeys: [TebexSandboxSettings.demoSecretKey] + tebexKey,
      sebSecrets: [SEBSandboxClient.demo.secret] + sebSecret,
      environment: environment, transport: transport)
    let service = try LiveService(
      address: "127.0.0.1", port: UInt16(clamping: options.port), grace: .seconds(2),
      handler: sandbox.handler, environment: environment)
    Output.write("till sandbox listening on \(service.url)\n")
    Output.write("control page at \(service.url)/sandbox\n")
    await service.run(stop: { await Program.untilStopped(watch) }, work: { await sandbox.run() })
    await transport.close()
    Output.write("till sandbox stopped\n")
    return 0
  }
}

/// A delivery in a file: as long as the server takes one, with its headers.
private let deliveryBytesMax = 128 << 10
