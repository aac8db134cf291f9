/// What a sweep does beyond what stories do: it has one program run under `strace`, and it is the
/// operator.
public struct SweepStage: Sendable {
  /// How the first server of the stage ended.
  public enum ServerEnd: Sendable {
    /// Killed before it listened; another one was started in its place.
    case killedAtStart
    /// Killed later.
    case killed
    /// By itself, which no server does.
    case byItself
  }

  /// What stories do.
  public var stage: Stage
  /// Starts an app process under `strace`.
  public var startTracedApp: @Sendable ([String], any Injection) throws -> StageProcess
  /// Has `strace` come to a process that runs, the server unless its number is told.
  public var attach: @Sendable (any Injection, _ process: Int32?) async throws -> Void
  /// Has `strace` go, if it came.
  public var detach: @Sendable () async -> Void
  /// Waits for the end of the first server.
  public var firstServerEnds: @Sendable () async -> ServerEnd
  /// The provider gives a part of a payment back that nobody asked the server for.
  public var refundElsewhere:
    @Sendable (_ providerPayment: String, _ amount: String) async throws -> Void
  /// Whether the receiver keeps the sender of a message waiting for its answer.
  public var holdMessages: @Sendable (Bool) async -> Void
  /// How many messages of a type the receiver has of an order.
  public var messages: @Sendable (_ order: String, _ type: String) async -> Int

  /// Sets up a stage.
  public init(
    stage: Stage,
    startTracedApp: @escaping @Sendable ([String], any Injection) throws -> StageProcess,
    attach: @escaping @Sendable (any Injection, Int32?) async throws -> Void,
    detach: @escaping @Sendable () async -> Void,
    firstServerEnds: @escaping @Sendable () async -> ServerEnd,
    refundElsewhere: @escaping @Sendable (String, String) async throws -> Void,
    holdMessages: @escaping @Sendable (Bool) async -> Void,
    messages: @escaping @Sendable (String, String) async -> Int
  ) {
    self.stage = stage
    self.startTracedApp = startTracedApp
    self.attach = attach
    self.detach = detach
    self.firstServerEnds = firstServerEnds
    self.refundElsewhere = refundElsewhere
    self.holdMessages = holdMessages
    self.messages = messages
  }
}

/// In which phase a run is, and in which one its kill came.
actor SweepWatch {
  let point: KillPoint
  private var phase = SweepPhase.start
  private(set) var killedIn: SweepPhase?
  /// The story is told: what ends from now on was ended on purpose.
  private(set) var isOver = false

  init(_ point: KillPoint) { self.point = point }

  func begin(_ phase: SweepPhase) { self.phase = phase }
  func end() { isOver = true }

  /// Notes the kill. One by a `strace` that came with its phase was in that phase; its end may be
  /// learned when the next one has begun.
  func noteKill(atStart: Bool = false) {
    killedIn = killedIn ?? (atStart ? .start : point.isFromLaunch ? phase : point.phase)
  }
}
