import AppSimulator
import CurlTransport
import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import SystemRuntime

/// A stage of real processes on this machine: `till sandbox`, `till-server` and app processes, a
/// receiver in this process, and a directory that holds everything.
actor LiveStage {
  /// How long a program may take to say that it listens.
  private static let startTime: Duration = .seconds(20)
  /// How long a program may take to end before it is killed: longer than it drains.
  private static let endTime: Duration = .seconds(15)

  private let environment: KitEnvironment
  private let directory: String
  private let programs: String
  private let broken: String?
  private let shop: DemoShop
  private let transport: CurlTransport
  private let receiver = FulfilmentReceiver()
  private var sandbox: ServedProcess?
  private var servers: [ServedProcess] = []
  private var sandboxURL = ""
  private var serverURL = ""

  /// A stage in an empty directory; nothing runs yet.
  init(
    _ environment: KitEnvironment, directory: String, programs: String, broken: String?,
    settings: StageSettings, transport: CurlTransport
  ) {
    self.environment = environment
    self.directory = directory
    self.programs = programs
    self.broken = broken
    self.transport = transport
    shop = DemoShop(directory: directory, language: settings.language, environment: environment)
  }

  /// Starts the programs and runs `body`; ``endPrograms()`` is due afterwards in any case.
  func play<Played: Sendable>(
    _ body: @escaping @Sendable (Stage) async -> Played
  ) async throws -> Played {
    let service = try LiveService(
      address: "127.0.0.1", port: 0, grace: .seconds(1), handler: receiver,
      environment: environment)
    let end = AsyncStream.makeStream(of: Void.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await service.run(stop: { for await _ in end.stream {} }, work: {}) }
      defer { end.continuation.finish() }
      try await start(receiver: service.url)
      return await body(stage())
    }
  }

  private func start(receiver: String) async throws {
    let sandbox = try served(
      "till", ["sandbox", "--port", "0"],
      [
        "TILL_TABBY_SECRET_KEY": shop.tabbyKey.reveal(),
        "TILL_FUTA_SECRET_KEY": shop.futaKey.reveal(),
        "TILL_RAIS_SECRET_KEY": shop.raisKey.reveal(),
        "TILL_TEBEX_SECRET_KEY": shop.tebexKey.reveal(),
        "TILL_SEB_CLIENT_SECRET": shop.sebSecret.reveal(),
      ])
    self.sandbox = sandbox
    sandboxURL = try await sandbox.url(within: Self.startTime, environment.clock)
    try shop.write(sandbox: sandboxURL, fulfilment: receiver, port: 0)
    try await startServer(stopAt: nil)
    try await SandboxRegistration(transport: transport, sandbox: sandboxURL, shop: shop)
      .register(server: serverURL)
  }

  /// Starts the server; after the first time on the port that it had.
  private func startServer(stopAt: Checkpoint?) async throws {
    var variables = shop.environment
    if let port = serverURL.split(separator: ":").last {
      variables["TILL_LISTEN_PORT"] = String(port)
    }
    if let stopAt { variables["TILL_STOP_AT"] = stopAt.rawValue }
    let arguments =
      ["--config", shop.configurationFile] + (broken.map { ["--broken", $0] } ?? [])
    let server = try served("till-server", arguments, variables)
    servers.append(server)
    serverURL = try await server.url(within: Self.startTime, environment.clock)
  }

  private func killServer() async { await servers.last?.kill() }

  private func restartServer(stopAt: Checkpoint?) async throws {
    await killServer()
    try await startServer(stopAt: stopAt)
  }

  private func serverStandsStill() async throws {
    guard let server = servers.last else { throw ConfigurationError("till-server", "does not run") }
    try await server.line(
      containing: "stopped at a checkpoint", within: Self.startTime, environment.clock)
  }

  /// Ends what runs.
  func endPrograms() async {
    await servers.last?.end(within: Self.endTime, environment.clock)
    await sandbox?.end(within: Self.endTime, environment.clock)
  }

  /// What the programs wrote, once they have ended.
  func logs() async -> [(name: String, lines: [String])] {
    var logs: [(name: String, lines: [String])] = []
    if let sandbox { logs.append(("sandbox.log", await sandbox.allLines())) }
    for (index, server) in servers.enumerated() {
      logs.append(("till-server-\(index + 1).log", await server.allLines()))
    }
    return logs
  }

  private func served(
    _ program: String, _ arguments: [String], _ variables: [String: String]
  ) throws -> ServedProcess {
    var all = ["PATH": "/usr/bin:/bin", "TILL_LOG_LEVEL": "info"]
    all.merge(variables) { _, new in new }
    return ServedProcess(
      program,
      try ChildProcess(
        "\(programs)/\(program)", arguments: arguments, environment: all, errorOutput: .output))
  }

  // MARK: What stories see

  private func stage() -> Stage {
    Stage(
      sandbox: sandboxURL, transport: transport, environment: environment,
      startApp: { [programs, serverURL, shop] arguments, payer in
        let token = shop.token(payer == .approved ? .approved : .declined)
        let process = try ChildProcess(
          "\(programs)/till-app", arguments: arguments,
          environment: [
            "PATH": "/usr/bin:/bin", "TILL_SERVER": serverURL, "TILL_APP_TOKEN": token.reveal(),
          ], errorOutput: .output)
        return StageProcess(process)
      },
      restartServer: { try await self.restartServer(stopAt: $0) },
      killServer: { await self.killServer() },
      startServer: { try await self.startServer(stopAt: nil) },
      serverStandsStill: { try await self.serverStandsStill() },
      showOrder: { try await self.till(["order", "show", $0]) },
      explainOrder: { try await self.till(["order", "explain", $0]) },
      refund: { try await self.till(["payment", "refund", $0, "--reason", "part of a story"]) },
      fulfilments: { [receiver] in await receiver.fulfilments(of: $0) },
      revocations: { [receiver] in await receiver.revocations(of: $0) },
      newPhone: { [directory, environment] in "\(directory)/phone-\(environment.newUUID()).sqlite" }
    )
  }

  /// Runs a fresh `till` process and reads the JSON that it prints.
  private func till(_ arguments: [String]) async throws -> JSONValue {
    let process = try ChildProcess(
      "\(programs)/till", arguments: arguments + ["--json"],
      environment: [
        "PATH": "/usr/bin:/bin", "TILL_SERVER": serverURL,
        "TILL_OPERATOR_KEY": shop.operatorKey.reveal(),
      ], errorOutput: .output)
    process.closeInput()
    var text = ""
    for await line in process.lines { text += line }
    guard await process.wait() == .exited(0) else {
      throw ConfigurationError("till \(arguments.joined(separator: " "))", text)
    }
    return try JSONValue(parsing: Array(text.utf8))
  }
}

extension StageProcess {
  init(_ process: ChildProcess) {
    self.init(
      lines: process.lines, write: { try? process.write(Array(($0 + "\n").utf8)) },
      kill: {
        process.send(.kill)
        _ = await process.wait()
      },
      wait: {
        switch await process.wait() {
        case .exited(let code): code
        case .signalled: nil
        }
      })
  }
}
