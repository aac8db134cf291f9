public import HTTPExchange
public import KitEnvironment
public import StrictJSON

/// Everything that a story is played on: real processes, real HTTP, and three witnesses of how it
/// ended that share no code with the server. Handed in, so that stories name no live types.
public struct Stage: Sendable {
  /// What a `till` process came to.
  public struct Till: Sendable {
    /// Its exit code.
    public var code: Int32
    /// What it printed.
    public var lines: [String]

    /// Takes both.
    public init(code: Int32, lines: [String]) {
      self.code = code
      self.lines = lines
    }
  }

  /// URL of the provider sandbox.
  public var sandbox: String
  /// How the payer's browser and the stories themselves reach the sandbox.
  public var transport: any HTTPTransport
  /// Time and ids.
  public var environment: KitEnvironment
  /// Starts an app process: `till-app` with these arguments, as this payer.
  public var startApp: @Sendable ([String], StoryPayer) throws -> StageProcess
  /// Kills the server with SIGKILL and starts it anew; the checkpoint is where the new one is to
  /// stop, if anywhere.
  public var restartServer: @Sendable (_ stopAt: Checkpoint?) async throws -> Void
  /// Kills the server with SIGKILL.
  public var killServer: @Sendable () async -> Void
  /// Starts the server anew after it was killed, where it was.
  public var startServer: @Sendable () async throws -> Void
  /// Returns once the server says that it stands still at its checkpoint.
  public var serverStandsStill: @Sendable () async throws -> Void
  /// What a fresh `till order show --json` process prints.
  public var showOrder: @Sendable (String) async throws -> JSONValue
  /// What a fresh `till order explain --json` process prints.
  public var explainOrder: @Sendable (String) async throws -> JSONValue
  /// Runs a `till` process as the operator, with `--json`.
  public var till: @Sendable (_ arguments: [String]) async throws -> Till
  /// The server's settings, for `till doctor`.
  public var settings: String
  /// Gives all of a payment back, as an operator does by `till payment refund`.
  public var refund: @Sendable (_ payment: String) async throws -> JSONValue
  /// How often the receiver of fulfilment messages handed out an order.
  public var fulfilments: @Sendable (String) async -> Int
  /// How often it was told to take the goods back.
  public var revocations: @Sendable (String) async -> Int
  /// How often it got a message about an order that it had before.
  public var repeatedMessages: @Sendable (String) async -> Int
  /// How many reads the server holds back now, as it tells monitoring.
  public var heldReads: @Sendable () async throws -> Int
  /// A path for the device store of a new phone.
  public var newPhone: @Sendable () -> String

  /// Sets up a stage.
  public init(
    sandbox: String, transport: any HTTPTransport, environment: KitEnvironment,
    startApp: @escaping @Sendable ([String], StoryPayer) throws -> StageProcess,
    restartServer: @escaping @Sendable (_ stopAt: Checkpoint?) async throws -> Void,
    killServer: @escaping @Sendable () async -> Void,
    startServer: @escaping @Sendable () async throws -> Void,
    serverStandsStill: @escaping @Sendable () async throws -> Void,
    showOrder: @escaping @Sendable (String) async throws -> JSONValue,
    explainOrder: @escaping @Sendable (String) async throws -> JSONValue,
    till: @escaping @Sendable (_ arguments: [String]) async throws -> Till, settings: String,
    refund: @escaping @Sendable (_ payment: String) async throws -> JSONValue,
    fulfilments: @escaping @Sendable (String) async -> Int,
    revocations: @escaping @Sendable (String) async -> Int,
    repeatedMessages: @escaping @Sendable (String) async -> Int,
    heldReads: @escaping @Sendable () async throws -> Int,
    newPhone: @escaping @Sendable () -> String
  ) {
    self.sandbox = sandbox
    self.transport = transport
    self.environment = environment
    self.startApp = startApp
    self.restartServer = restartServer
    self.killServer = killServer
    self.startServer = startServer
    self.serverStandsStill = serverStandsStill
    self.showOrder = showOrder
    self.explainOrder = explainOrder
    self.till = till
    self.settings = settings
    self.refund = refund
    self.fulfilments = fulfilments
    self.revocations = revocations
    self.repeatedMessages = repeatedMessages
    self.heldReads = heldReads
    self.newPhone = newPhone
  }
}

extension Stage {
  /// Calls the sandbox's control API: POST with a body, GET without.
  func control(_ target: String, _ body: JSONValue?) async throws -> JSONValue {
    let response = try await transport.send(
      HTTPOutgoing(
        method: body == nil ? "GET" : "POST", url: sandbox + target,
        headers: body == nil ? [:] : ["Content-Type": "application/json"],
        body: body?.serialized() ?? []))
    guard response.status == 200 else {
      throw StoryFailure("the sandbox refused \(target): \(response.status)")
    }
    return try JSONValue(parsing: response.body)
  }
}

extension Stage {
  /// Exit codes of `till` after which an operator says the same again: the server is not there, or
  /// the end is not known yet.
  static let again: Set<Int32> = [69, 75]
  /// How long an operator waits before.
  private static let againGap: Duration = .milliseconds(200)

  /// Runs `till` until it ends with another code than `again`, for `limit` at the most.
  func till(
    _ arguments: [String], again: Set<Int32> = Stage.again, within limit: Duration
  ) async throws -> Till {
    let end = environment.clock.uptime() + limit
    while true {
      let ended = try await till(arguments)
      guard again.contains(ended.code), environment.clock.uptime() < end else { return ended }
      try await environment.clock.sleep(for: Self.againGap)
    }
  }
}

/// What a stage is set up with.
public struct StageSettings: Hashable, Sendable {
  /// The language of the shop, as its server has it for hosted pages.
  public var language: String
  /// Whether its server takes held money by itself; else an operator does.
  public var capturesByItself: Bool
  /// Where the first server is killed by ``KillPoint``, if anywhere.
  public var serverKill: KillPoint?
  /// Whether so much is asked of its server from one address that the usual rate limits would
  /// stop it.
  public var takesLoad: Bool

  /// Takes the values.
  public init(
    language: String = "en", capturesByItself: Bool = true, serverKill: KillPoint? = nil,
    takesLoad: Bool = false
  ) {
    self.language = language
    self.capturesByItself = capturesByItself
    self.serverKill = serverKill
    self.takesLoad = takesLoad
  }
}

/// Who pays in a story: one of the provider's documented test cases.
public enum StoryPayer: String, Sendable, CaseIterable {
  /// Pays.
  case approved
  /// Is refused on the page.
  case declined
}

/// A started process, as far as a story touches it.
public struct StageProcess: Sendable {
  /// Its number.
  public var identifier: Int32
  /// The lines that it prints.
  public var lines: AsyncStream<String>
  /// Writes a line to its standard input.
  public var write: @Sendable (String) -> Void
  /// Ends it with SIGKILL and waits until it is gone.
  public var kill: @Sendable () async -> Void
  /// Waits for its end and gives the exit code; nil if a signal ended it.
  public var wait: @Sendable () async -> Int32?

  /// Describes a process.
  public init(
    identifier: Int32, lines: AsyncStream<String>, write: @escaping @Sendable (String) -> Void,
    kill: @escaping @Sendable () async -> Void, wait: @escaping @Sendable () async -> Int32?
  ) {
    self.identifier = identifier
    self.lines = lines
    self.write = write
    self.kill = kill
    self.wait = wait
  }
}

/// A story that did not go on as it should: what was expected and did not come.
struct StoryFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
