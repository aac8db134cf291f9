import AppSimulator
import CurlTransport
import KitEnvironment
import SystemRuntime

/// All stages of one run of `till-app`, each in a directory of its own below one that is removed
/// at the end. A signal ends the play and all programs: no process and no file is left behind.
actor LiveStages {
  /// How long the play may take to notice that it is stopped before its programs are ended.
  private static let stopTime: Duration = .seconds(2)

  private let environment: KitEnvironment
  private let directory: String
  private let programs: String
  private let broken: String?
  private let keepsFiles: Bool
  private let transport = CurlTransport()
  private var open: [LiveStage] = []
  private let stops = AsyncStream.makeStream(of: Void.self)
  /// The exit code of the signal that stopped the play; nil as long as none came.
  private var stopCode: Int32?

  /// Runs `body`, which sets stages up as it needs them, until it ends or a signal comes.
  ///
  /// - Parameters:
  ///   - broken: which rule the servers break, if any.
  ///   - keepsFiles: whether the directory stays, with what each stage wrote.
  /// - Returns: 0 if `body` found nothing wrong, 1 if it did, 128 and its number after a signal.
  static func run(
    _ environment: KitEnvironment, broken: String?, keepsFiles: Bool = false,
    _ body: @escaping @Sendable (LiveStages) async throws -> Int
  ) async throws -> Int32 {
    let watch = try SignalWatch()
    defer { watch.close() }
    let directory = try Program.makeTemporaryDirectory()
    let stages = try LiveStages(
      environment, directory: directory, broken: broken, keepsFiles: keepsFiles)
    let result: Result<Int32, any Error>
    do {
      result = .success(try await stages.watched(by: watch, body))
    } catch {
      result = .failure(error)
    }
    await stages.close()
    if !keepsFiles { try Files.removeTree(directory) }
    if let code = await stages.stopCode { return code }
    return try result.get()
  }

  private init(
    _ environment: KitEnvironment, directory: String, broken: String?, keepsFiles: Bool
  ) throws(ConfigurationError) {
    guard let program = ProcessFacts.programPath() else {
      throw ConfigurationError("till-app", "cannot find its own path, and so its neighbours")
    }
    programs = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    self.environment = environment
    self.directory = directory
    self.broken = broken
    self.keepsFiles = keepsFiles
  }

  private func watched(
    by watch: SignalWatch, _ body: @escaping @Sendable (LiveStages) async throws -> Int
  ) async throws -> Int32 {
    try await withThrowingTaskGroup(of: Int32.self) { group in
      group.addTask { try await self.playUntilStopped(body) }
      group.addTask { [environment] in
        let code = await Program.untilStopped(watch)
        guard !Task.isCancelled else { return code }
        await self.stop(with: code)
        // Whoever waits for a process is freed by its end, not by cancellation.
        try await environment.clock.sleep(for: Self.stopTime)
        await self.endPrograms()
        return code
      }
      defer { group.cancelAll() }
      return try await group.next() ?? 1
    }
  }

  private func playUntilStopped(
    _ body: @escaping @Sendable (LiveStages) async throws -> Int
  ) async throws -> Int32 {
    let stopped = stops.stream
    return try await withThrowingTaskGroup(of: Int32.self) { group in
      group.addTask { try await body(self) == 0 ? 0 : 1 }
      group.addTask {
        for await _ in stopped {}
        return 0
      }
      defer { group.cancelAll() }
      return try await group.next() ?? 1
    }
  }

  private func stop(with code: Int32) {
    stopCode = code
    stops.continuation.finish()
  }

  private func endPrograms() async {
    for stage in open { await stage.endPrograms() }
  }

  private func close() async {
    await endPrograms()
    await transport.close()
  }

  // MARK: One stage

  /// Sets a stage up under a name, plays a story on it and takes it down, whatever happens.
  ///
  /// - Returns: what `body` gave, and where the stage's files are if they are kept.
  func play<Played: Sendable>(
    _ name: String, _ settings: StageSettings = StageSettings(),
    _ body: @escaping @Sendable (Stage) async -> Played
  ) async throws -> (Played, kept: String?) {
    try await perform(name, settings) { await body($0.stage()) }
  }

  /// The same for whatever is played on a stage.
  func perform<Played: Sendable>(
    _ name: String, _ settings: StageSettings,
    _ body: @escaping @Sendable (LiveStage) async -> Played
  ) async throws -> (Played, kept: String?) {
    let place = "\(directory)/\(name.replacing("/", with: "-"))"
    try Files.makeDirectory(place)
    let stage = LiveStage(
      environment, directory: place, programs: programs, broken: broken, settings: settings,
      transport: transport)
    open.append(stage)
    let result: Result<Played, any Error>
    do {
      result = .success(try await stage.play(body))
    } catch {
      result = .failure(error)
    }
    await stage.endPrograms()
    open.removeAll { $0 === stage }
    if keepsFiles {
      for log in await stage.logs() { try Files.write(log.lines, to: "\(place)/\(log.name)") }
    } else {
      try Files.removeTree(place)
    }
    return (try result.get(), keepsFiles ? place : nil)
  }
}

extension Files {
  /// Writes lines into a new file.
  static func write(_ lines: [String], to path: String) throws(SystemError) {
    try replace(path, with: Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
