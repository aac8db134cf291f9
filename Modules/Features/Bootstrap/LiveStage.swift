import AppSimulator
import CurlTransport
import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import SystemRuntime

/// A stage of real processes on this machine: `till sandbox`, `till-server` and app processes, a
/// receiver in this process, and one directory that holds everything and is removed at the end.
actor LiveStage {
  /// How long a program may take to say that it listens.
  private static let startTime: Duration = .seconds(20)
  /// How long a program may take to end before it is killed: longer than it drains.
  private static let endTime: Duration = .seconds(15)
  /// How long the play may take to notice that it is stopped before its programs are ended.
  private static let stopTime: Duration = .seconds(2)

  private let environment: KitEnvironment
  private let directory: String
  private let programs: String
  private let broken: String?
  private let shop: DemoShop
  private let transport: CurlTransport
  private let receiver = FulfilmentReceiver()
  private var sandbox: ServedProcess?
  private var server: ServedProcess?
  private var sandboxURL = ""
  private var serverURL = ""
  private let stops = AsyncStream.makeStream(of: Void.self)
  /// The exit code of the signal that stopped the play; nil as long as none came.
  private var stopCode: Int32?

  /// Sets a stage up, runs `body` on it, and takes it down again, also after a signal: no process
  /// and no file is left behind.
  ///
  /// - Returns: 0 if `body` found nothing wrong, 1 if it did, 128 and its number after a signal.
  static func run(
    _ environment: KitEnvironment, broken: String?,
    _ body: @escaping @Sendable (Stage) async -> Int
  ) async throws -> Int32 {
    let watch = try SignalWatch()
    defer { watch.close() }
    let directory = try Program.makeTemporaryDirectory()
    let stage = try LiveStage(environment, directory: directory, broken: broken)
    let result: Result<Int32, any Error>
    do {
      result = .success(
        try await withThrowingTaskGroup(of: Int32.self) { group in
          group.addTask { try await stage.playUntilStopped(body) }
          group.addTask {
            let code = await Program.untilStopped(watch)
            guard !Task.isCancelled else { return code }
            await stage.stop(with: code)
            // Whoever waits for a process is freed by its end, not by cancellation.
            try await environment.clock.sleep(for: stopTime)
            await stage.endPrograms()
            return code
          }
          defer { group.cancelAll() }
          return try await group.next() ?? 1
        })
    } catch {
      result = .failure(error)
    }
    await stage.takeDown()
    try Files.removeTree(directory)
    if let code = await stage.stopCode { return code }
    return try result.get()
  }

  private init(
    _ environment: KitEnvironment, directory: String, broken: String?
  ) throws(ConfigurationError) {
    guard let program = ProcessFacts.programPath() else {
      throw ConfigurationError("till-app", "cannot find its own path, and so its neighbours")
    }
    programs = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    self.environment = environment
    self.directory = directory
    self.broken = broken
    shop = DemoShop(directory: directory, environment: environment)
    transport = CurlTransport()
  }

  private func stop(with code: Int32) {
    stopCode = code
    stops.continuation.finish()
  }

  private func playUntilStopped(
    _ body: @escaping @Sendable (Stage) async -> Int
  ) async throws -> Int32 {
    let stopped = stops.stream
    return try await withThrowingTaskGroup(of: Int32.self) { group in
      group.addTask { try await self.play(body) }
      group.addTask {
        for await _ in stopped {}
        return 0
      }
      defer { group.cancelAll() }
      return try await group.next() ?? 1
    }
  }

  private func play(_ body: @escaping @Sendable (Stage) async -> Int) async throws -> Int32 {
    let service = try LiveService(
      address: "127.0.0.1", port: 0, grace: .seconds(1), handler: receiver, log: environment.log)
    let end = AsyncStream.makeStream(of: Void.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await service.run(stop: { for await _ in end.stream {} }, work: {}) }
      defer { end.continuation.finish() }
      try await start(receiver: service.url)
      let wrong = await body(stage())
      return wrong == 0 ? 0 : 1
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
    self.server = server
    serverURL = try await server.url(within: Self.startTime, environment.clock)
  }

  private func restartServer(stopAt: Checkpoint?) async throws {
    await server?.kill()
    try await startServer(stopAt: stopAt)
  }

  private func serverStandsStill() async throws {
    guard let server else { throw ConfigurationError("till-server", "does not run") }
    try await server.line(
      containing: "stopped at a checkpoint", within: Self.startTime, environment.clock)
  }

  private func endPrograms() async {
    await server?.end(within: Self.endTime, environment.clock)
    await sandbox?.end(within: Self.endTime, environment.clock)
  }

  private func takeDown() async {
    await endPrograms()
    await transport.close()
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
          ])
        return StageProcess(process)
      },
      restartServer: { try await self.restartServer(stopAt: $0) },
      serverStandsStill: { try await self.serverStandsStill() },
      showOrder: { try await self.till(["order", "show", $0]) },
      explainOrder: { try await self.till(["order", "explain", $0]) },
      refund: { try await self.till(["payment", "refund", $0]) },
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
