import KitEnvironment
import PaymentModels
import StrictJSON

/// The clock of a sandbox, which the control API moves ahead, and what it waits for.
struct SandboxTime: Sendable {
  private let clock: KitClock
  /// How far it is ahead of the environment's clock.
  private var offset = Duration.zero
  /// No payment changes by itself before this time; nil if none will. It spares each request a
  /// look at every payment.
  var agenda: Instant?
  private var poking: AsyncStream<Void>.Continuation?

  init(_ environment: KitEnvironment) { clock = environment.clock }

  var now: Instant { clock.now() + offset }

  /// Moves the clock as a control call says.
  mutating func advance(_ body: JSONValue) throws(ControlError) {
    let furthest = SandboxLimits.millisecondsMax
    guard body.members?.count == 1, let advance = body["advance_ms"]?.int64,
      (0...furthest).contains(advance), offset.wholeMilliseconds <= 100 * furthest
    else { throw ControlError("advance_ms is a whole number from 0 to \(furthest)") }
    offset += .milliseconds(advance)
  }

  var json: JSONValue {
    let now = now
    return .object([
      "now": .string(now.description), "now_ms": .integer(now.milliseconds),
      "offset_ms": .integer(offset.wholeMilliseconds),
    ])
  }

  /// Yields when something new is to be done earlier; for the one loop of the sandbox.
  mutating func pokes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    poking = continuation
    return stream
  }

  func poke() { poking?.yield() }
}
