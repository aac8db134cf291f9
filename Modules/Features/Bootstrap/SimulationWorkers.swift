import KitEnvironment
import Simulation
import StrictJSON
import SystemRuntime

/// Plays worlds in processes of their own, a limited number in each: what a party's crash leaves
/// behind is never freed, so a process of very many worlds would grow without end.
struct SimulationWorkers: Sendable {
  /// Worlds of one process: some hundred megabytes by its end.
  static let worldsMax = 1_000

  /// A process that has told of no world for so long is stuck. A world takes a tenth of a second,
  /// and one that runs as many jobs as a scheduler allows a few seconds, on a busy machine more.
  static let silenceMax: Duration = .seconds(120)

  let command: SimulateInvocation
  /// Where this program is; nil if that cannot be known.
  let program: String?
  /// Where all of them put their files; theirs go with it, also when they are killed.
  let scratch: String
  let variables: [String: String]
  let clock: KitClock

  /// Worlds of one process, and which of their plays it is.
  private struct Batch: Sendable {
    let seed: UInt64
    let runs: Int
    let play: Int
  }

  /// Plays them.
  ///
  /// - Parameter each: told of each world that has ended, with which of its plays it was; false
  ///   ends all.
  /// - Throws: ``Stopped`` if a process ended before its last world, or was ended because it told
  ///   of none for ``silenceMax``.
  func run(each: (WorldOutcome, Int) -> Bool) async throws {
    let (outcomes, feed) = AsyncStream.makeStream(of: (WorldOutcome, Int).self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { feed.finish() }
        try await self.playAll { feed.yield(($0, $1)) }
      }
      for await (outcome, play) in outcomes where !each(outcome, play) {
        // Enough are wrong; what the others would say is not waited for.
        return group.cancelAll()
      }
      try await group.waitForAll()
    }
  }

  /// The batches; the two plays of one lie side by side, so that they run at the same time.
  private var batches: [Batch] {
    let size = min(Self.worldsMax, max(1, (command.runs + command.jobs - 1) / command.jobs))
    return stride(from: 0, to: command.runs, by: size).flatMap { start in
      (0..<(command.playsTwice ? 2 : 1)).map { play in
        Batch(
          seed: command.seed &+ UInt64(start), runs: min(size, command.runs - start), play: play)
      }
    }
  }

  private func playAll(_ tell: @escaping @Sendable (WorldOutcome, Int) -> Void) async throws {
    let (batches, jobs) = (batches, command.jobs)
    try await withThrowingTaskGroup(of: Void.self) { lanes in
      for lane in 0..<jobs {
        lanes.addTask {
          for index in stride(from: lane, to: batches.count, by: jobs) {
            try await self.play(batches[index], tell)
          }
        }
      }
      try await lanes.waitForAll()
    }
  }

  private func play(
    _ batch: Batch, _ tell: @escaping @Sendable (WorldOutcome, Int) -> Void
  ) async throws {
    var environment = variables
    environment["TMPDIR"] = scratch
    guard let program else {
      throw ConfigurationError("/proc/self/exe", "cannot be read; --jobs 1 plays in one process")
    }
    let process = try ChildProcess(
      program,
      arguments: [
        "simulate", "--runs", "\(batch.runs)", "--seed", "\(batch.seed)", "--jobs", "1",
        "--faults", command.kindNames, "--json", "--no-shrink",
      ] + command.faultArguments,
      environment: environment)
    let told = try await withTaskCancellationHandler {
      try await listen(to: process) { tell($0, batch.play) }
    } onCancel: {
      process.send(.kill)
    }
    try Task.checkCancellation()
    let end = await process.wait()
    guard told.worlds == batch.runs || told.failures >= command.failuresMax else {
      throw Stopped(
        seed: batch.seed &+ UInt64(told.worlds), end: told.fellSilent ? nil : end,
        faultArguments: command.faultArguments)
    }
  }

  /// What a process has told by its end.
  private struct Told: Sendable {
    var worlds = 0
    var failures = 0
    var fellSilent = false
  }

  /// Takes in what a process tells until it ends, and ends it when it falls silent.
  private func listen(
    to process: ChildProcess, _ tell: @escaping @Sendable (WorldOutcome) -> Void
  ) async throws -> Told {
    let silence = Silence(of: Self.silenceMax, clock: clock)
    return try await withThrowingTaskGroup(of: Told?.self) { group in
      group.addTask {
        var told = Told()
        for await line in process.lines {
          await silence.heard()
          let json = try JSONValue(parsing: Array(line.utf8))
          // The last line is a summary, which says nothing new here.
          guard json["virtual_ms"] != nil else { continue }
          let outcome = try WorldOutcome(json: json)
          told.worlds += 1
          if outcome.failure != nil { told.failures += 1 }
          tell(outcome)
        }
        return told
      }
      group.addTask {
        try await silence.lasts()
        process.send(.kill)
        return nil
      }
      var fellSilent = false
      while let told = try await group.next() {
        guard var told else {
          fellSilent = true
          continue
        }
        group.cancelAll()
        told.fellSilent = fellSilent
        return told
      }
      return Told(fellSilent: fellSilent)
    }
  }

  /// A process ended before its last world: a trap, or a lack of memory; or it was stuck in one.
  struct Stopped: Error, CustomStringConvertible {
    let seed: UInt64
    /// nil if it was ended because it was stuck.
    let end: ChildProcess.End?
    let faultArguments: [String]

    var description: String {
      let what =
        end.map { "ended (\($0))" }
        ?? "said nothing for \(SimulationWorkers.silenceMax.components.seconds) s"
      let command = (["simulate", "--seed", "\(seed)"] + faultArguments + ["--trace"])
        .joined(separator: " ")
      return "the process that played worlds \(what) in the world of seed \(seed); "
        + "see it with `\(Program.nameAsTyped) \(command)`"
    }
  }
}
