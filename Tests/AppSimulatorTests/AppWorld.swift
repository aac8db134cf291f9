import AppSimulator
import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import StrictJSON
import SystemRuntime
import TestSupport
import Testing

/// One app process and what it printed.
struct AppWorld {
  static let mug = CheckoutRequest(
    provider: .tabby, purchase: .items([CheckoutRequest.Item(productID: "mug", quantity: 1)]))

  let clock: ManualClock
  let backend: ScriptedBackend
  let store: any DeviceStore
  private let printed = Locked<[String]>([])
  private let input = AsyncStream<String>.makeStream()

  init(clock: ManualClock, backend: ScriptedBackend, store: any DeviceStore) {
    self.clock = clock
    self.backend = backend
    self.store = store
  }

  /// Runs the errand while `body` plays the payer. A nil result means that the process was still
  /// running at the end of `body`, and was killed.
  func run(
    _ errand: AppErrand, stays: Bool = false, killedAt: CrashPoint? = nil, seed: UInt64 = 1,
    trusting origin: CheckoutOrigin? = nil,
    _ body: () async throws -> Void
  ) async throws -> AppExit? {
    let process = AppProcess(
      store: store, backend: backend, environment: .test(clock, seed: seed), stays: stays,
      checkoutOrigin: origin,
      reached: { point in
        if point == killedAt { try? await clock.clock.sleep(for: .seconds(1_000_000)) }
      },
      print: { line in printed.withLock { $0.append(line) } })
    return try await withThrowingTaskGroup(of: AppExit.self) { group in
      group.addTask { await process.run(errand, lines: input.stream) }
      try await body()
      // Its last line is out before it returns.
      let hasEnded = try events.contains("exit")
      group.cancelAll()
      let exit = try await group.next()
      return hasEnded ? exit : nil
    }
  }

  func say(_ line: String) { input.continuation.yield(line) }
  func endInput() { input.continuation.finish() }

  var lines: [JSONValue] {
    get throws { try printed.withLock { $0 }.map { try JSONValue(parsing: Array($0.utf8)) } }
  }

  /// The events so far, each with the word that says most about it.
  var events: [String] {
    get throws {
      try lines.map { line in
        let words = ["event", "stage", "point", "display", "outcome", "signal", "status", "url"]
        return words.compactMap { line[$0]?.text }.joined(separator: " ")
      }
    }
  }

  func until(
    _ event: String, advancing step: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<2_000_000 {
      if try events.contains(event) { return }
      if let step, clock.sleeperCount >= 1 { clock.advance(by: step) }
      await Task.yield()
    }
    Issue.record("never \(event): \(try events)", sourceLocation: sourceLocation)
  }
}
