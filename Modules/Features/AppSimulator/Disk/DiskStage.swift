public import HTTPExchange

/// What runs with a bad disk do beyond what sweeps do.
public struct DiskStage: Sendable {
  /// Who sends a request.
  public enum Sender: Sendable {
    /// Nobody in particular.
    case nobody
    /// The payer's app.
    case app
    /// The operator.
    case `operator`
    /// The provider, with its webhook's secret.
    case provider
  }

  /// What became of a server's start.
  public struct Start: Sendable {
    /// Its exit code; nil if it listens.
    public var code: Int32?
    /// What it has printed so far.
    public var lines: [String]

    /// Takes both.
    public init(code: Int32?, lines: [String]) {
      self.code = code
      self.lines = lines
    }
  }

  /// What sweeps do.
  public var sweep: SweepStage
  /// How many calls have failed so far in this run.
  public var failedCalls: @Sendable () throws -> Int
  /// Kills the server that runs and starts one, on a bad disk or a good one, over the store that
  /// there is or over one that there is not yet.
  public var startServer: @Sendable (_ fault: DiskFault?, _ isNewStore: Bool) async throws -> Start
  /// Calls the server.
  public var call:
    @Sendable (
      _ method: String, _ target: String, _ sender: Sender, _ key: String?, _ body: [UInt8]
    ) async throws -> HTTPResponse
  /// Time that the server has kept processors busy.
  public var busyTime: @Sendable () async throws -> Duration
  /// Lines that all servers of the stage have printed; they must have ended.
  public var serverLines: @Sendable () async -> Int

  /// Sets up a stage.
  public init(
    sweep: SweepStage, failedCalls: @escaping @Sendable () throws -> Int,
    startServer: @escaping @Sendable (DiskFault?, Bool) async throws -> Start,
    call:
      @escaping @Sendable (String, String, Sender, String?, [UInt8]) async throws -> HTTPResponse,
    busyTime: @escaping @Sendable () async throws -> Duration,
    serverLines: @escaping @Sendable () async -> Int
  ) {
    self.sweep = sweep
    self.failedCalls = failedCalls
    self.startServer = startServer
    self.call = call
    self.busyTime = busyTime
    self.serverLines = serverLines
  }
}
