import KitEnvironment
import SystemRuntime

/// A child process that serves: says on its first line where it listens, and logs after it.
actor ServedProcess {
  private let name: String
  private let process: ChildProcess
  private var told: [String] = []

  /// The number of the process.
  nonisolated var identifier: Int32 { process.identifier }

  init(_ name: String, _ process: ChildProcess) {
    self.name = name
    self.process = process
  }

  /// The URL that it says it listens on.
  func url(within limit: Duration, _ clock: KitClock) async throws -> String {
    let line = try await line(containing: "listening on ", within: limit, clock)
    return String(line.split(separator: " ").last ?? "")
  }

  /// Waits for a line, also one that came before.
  @discardableResult
  func line(
    containing words: String, within limit: Duration, _ clock: KitClock
  ) async throws -> String {
    let process = process
    return try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask {
        for await line in process.lines {
          await self.keep(line)
          if line.contains(words) { return line }
        }
        return nil
      }
      group.addTask {
        try await clock.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      guard let line = try await group.next() ?? nil else {
        throw ConfigurationError(name, "did not say “\(words)…” within \(limit)")
      }
      return line
    }
  }

  private func keep(_ line: String) { told.append(line) }

  /// All that it has written; waits for its end.
  func allLines() async -> [String] {
    for await line in process.lines { told.append(line) }
    return told
  }

  /// Asks it to end, and kills it if it does not within `limit`.
  func end(within limit: Duration, _ clock: KitClock) async {
    process.send(.terminate)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [process] in
        // After a cancelled sleep too: a process that has ended takes no signal.
        try? await clock.sleep(for: limit)
        process.send(.kill)
      }
      _ = await process.wait()
      group.cancelAll()
    }
  }

  func kill() async {
    process.send(.kill)
    _ = await process.wait()
  }

  /// Waits for its end; the exit code, nil if a signal ended it.
  func exitCode() async -> Int32? {
    guard case .exited(let code) = await process.wait() else { return nil }
    return code
  }

  /// Waits for its end; true if it was killed.
  func wasKilled() async -> Bool { await process.wait() == .signalled(ProcessSignal.kill.number) }
}
