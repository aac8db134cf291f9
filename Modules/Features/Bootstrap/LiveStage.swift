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

  let environment: KitEnvironment
  let directory: String
  let programs: String
  let broken: String?
  let shop: DemoShop
  let transport: CurlTransport
  let receiver = FulfilmentReceiver()
  private let killPoint: KillPoint?
  /// Under load the log tells of trouble alone: more lines would come than are kept unread.
  private let logLevel: String
  private var sandbox: ServedProcess?
  private var servers: [ServedProcess] = []
  /// A second server over the same store, on a port of its own.
  private var neighbour: ServedProcess?
  private(set) var sandboxURL = ""
  private(set) var serverURL = ""
  /// Whether the first server was killed before it listened, as a sweep may have it.
  private(set) var isKilledAtStart = false
  /// `strace`, while it is at a process that it did not start.
  private var tracer: ServedProcess?

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
    killPoint = settings.serverKill
    logLevel = settings.takesLoad ? "warning" : "info"
    shop = DemoShop(
      directory: directory, language: settings.language,
      capture: settings.capturesByItself ? "automatic" : "manual",
      limitsRate: !settings.takesLoad,
      environment: environment)
  }

  /// Starts the programs and runs `body`; ``endPrograms()`` is due afterwards in any case.
  func play<Played: Sendable>(
    _ body: @escaping @Sendable (LiveStage) async -> Played
  ) async throws -> Played {
    let service = try LiveService(
      address: "127.0.0.1", port: 0, grace: .seconds(1), handler: receiver,
      environment: environment)
    let end = AsyncStream.makeStream(of: Void.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await service.run(stop: { for await _ in end.stream {} }, work: {}) }
      defer { end.continuation.finish() }
      try await start(receiver: service.url)
      return await body(self)
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
    try await startFirstServer()
    try await SandboxRegistration(transport: transport, sandbox: sandboxURL, shop: shop)
      .register(server: serverURL)
  }

  private func startFirstServer() async throws {
    do {
      try await startServer(stopAt: nil)
    } catch {
      guard killPoint != nil, await servers.last?.wasKilled() == true else { throw error }
      isKilledAtStart = true
      try await startServer(stopAt: nil)
    }
  }

  /// Waits for the end of the first server; true if a signal ended it.
  func firstServerWasKilled() async -> Bool { await servers.first?.wasKilled() ?? false }

  /// Starts the server; after the first time on the port that it had.
  func startServer(stopAt: Checkpoint?) async throws {
    var variables = shop.environment
    variables["TILL_LISTEN_PORT"] = serverPort
    if let stopAt { variables["TILL_STOP_AT"] = stopAt.rawValue }
    let arguments =
      ["--config", shop.configurationFile]
      + (broken.flatMap { BrokenServer(rawValue: $0) }.map { ["--broken", $0.rawValue] } ?? [])
    let server = try served(
      "till-server", arguments, variables, under: servers.isEmpty ? killPoint : nil)
    servers.append(server)
    serverURL = try await server.url(within: Self.startTime, environment.clock)
  }

  /// Starts a second server over the same store, with the same settings.
  ///
  /// - Returns: its URL.
  func startNeighbour() async throws -> String {
    let server = try served(
      "till-server", ["--config", shop.configurationFile], shop.environment)
    neighbour = server
    return try await server.url(within: Self.startTime, environment.clock)
  }

  /// Kills all servers with SIGKILL.
  func killServers() async {
    await killServer()
    await neighbour?.kill()
  }

  /// The port that the server was given at its first start; any free one before.
  var serverPort: String { serverURL.split(separator: ":").last.map(String.init) ?? "0" }

  func killServer() async { await servers.last?.kill() }

  func restartServer(stopAt: Checkpoint?) async throws {
    await killServer()
    try await startServer(stopAt: stopAt)
  }

  /// The number of the server's process.
  var serverProcess: Int32? { servers.last?.identifier }

  /// Kills the server and starts it on a disk that is bad or good, over the store that there is or
  /// over one that there is not yet.
  func startServer(
    on fault: DiskFault?, isNewStore: Bool
  ) async throws -> DiskStage.Start {
    await killServer()
    var variables = shop.environment
    variables["TILL_LISTEN_PORT"] = serverPort
    if isNewStore { variables["TILL_DATABASE"] = "\(directory)/new.sqlite" }
    let server = try served(
      "till-server", ["--config", shop.configurationFile], variables, under: fault)
    servers.append(server)
    do {
      _ = try await server.url(within: Self.startTime, environment.clock)
      return DiskStage.Start(code: nil, lines: [])
    } catch {
      let lines = await server.allLines()
      return DiskStage.Start(code: await server.exitCode(), lines: lines)
    }
  }

  func serverStandsStill() async throws {
    guard let server = servers.last else { throw ConfigurationError("till-server", "does not run") }
    try await server.line(
      containing: "stopped at a checkpoint", within: Self.startTime, environment.clock)
  }

  /// Has `strace` come to a process, the server unless told, and waits until it counts.
  func attach(_ injection: any Injection, _ process: Int32?) async throws {
    guard let process = process ?? servers.last?.identifier else { return }
    let tracer = ServedProcess(
      "strace", try Tracer.attach(to: process, injection, directory: directory))
    self.tracer = tracer
    try await tracer.line(containing: Tracer.attached, within: Self.startTime, environment.clock)
  }

  /// Has it go.
  func detach() async {
    await tracer?.end(within: Self.endTime, environment.clock)
    tracer = nil
  }

  /// Ends what runs.
  func endPrograms() async {
    await detach()
    await servers.last?.end(within: Self.endTime, environment.clock)
    await neighbour?.end(within: Self.endTime, environment.clock)
    await sandbox?.end(within: Self.endTime, environment.clock)
  }

  /// What the programs wrote, once they have ended.
  func logs() async -> [(name: String, lines: [String])] {
    var logs: [(name: String, lines: [String])] = []
    if let sandbox { logs.append(("sandbox.log", await sandbox.allLines())) }
    for (index, server) in servers.enumerated() {
      logs.append(("till-server-\(index + 1).log", await server.allLines()))
    }
    if let neighbour { logs.append(("till-server-neighbour.log", await neighbour.allLines())) }
    return logs
  }

  /// What the servers wrote, once they have ended.
  func serverLog() async -> [String] {
    var lines: [String] = []
    for server in servers { lines += await server.allLines() }
    if let neighbour { lines += await neighbour.allLines() }
    return lines
  }

  private func served(
    _ program: String, _ arguments: [String], _ variables: [String: String],
    under injection: (any Injection)? = nil
  ) throws -> ServedProcess {
    var all = ["PATH": "/usr/bin:/bin", "TILL_LOG_LEVEL": logLevel]
    all.merge(variables) { _, new in new }
    if let injection {
      return ServedProcess(
        program,
        try Tracer.start(
          "\(programs)/\(program)", arguments, under: injection, environment: all,
          directory: directory))
    }
    return ServedProcess(
      program,
      try ChildProcess(
        "\(programs)/\(program)", arguments: arguments, environment: all, errorOutput: .output))
  }
}
