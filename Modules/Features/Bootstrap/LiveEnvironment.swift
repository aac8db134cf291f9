import HTTPExchange
import HTTPListener
import KitEnvironment
import SystemCrypto
import SystemRuntime

extension KitEnvironment {
  /// The system's clock, random source and hash functions, with log lines on standard error.
  ///
  /// - Parameter format: how a line is written unless `TILL_LOG_FORMAT` says so.
  static func live(
    _ variables: [String: String], format: LogFormat = .text
  ) throws(ConfigurationError) -> KitEnvironment {
    let levels: [String: LogLevel] = [
      "debug": .debug, "info": .info, "warning": .warning, "error": .error,
    ]
    let word = variables["TILL_LOG_LEVEL"] ?? "info"
    guard let level = levels[word] else {
      throw ConfigurationError("TILL_LOG_LEVEL", "must be debug, info, warning or error")
    }
    guard let format = LogFormat(rawValue: variables["TILL_LOG_FORMAT"] ?? format.rawValue) else {
      throw ConfigurationError("TILL_LOG_FORMAT", "must be text or json")
    }
    var environment = KitEnvironment(
      clock: .system(), random: .system(),
      log: .standardError(minimum: level, format: format), hashing: .openSSL)
    environment.metrics = .live()
    #if DEBUG
      environment.reached = try stop(at: variables["TILL_STOP_AT"])
    #endif
    return environment
  }

  #if DEBUG
    /// For kill tests, in debug builds only: at the checkpoint the process says so and stands
    /// still, so that it can be killed exactly there.
    private static func stop(
      at word: String?
    ) throws(ConfigurationError) -> @Sendable (Checkpoint) -> Void {
      guard let word else { return { _ in } }
      guard let wanted = Checkpoint(rawValue: word) else {
        let known = Checkpoint.allCases.map(\.rawValue).joined(separator: ", ")
        throw ConfigurationError("TILL_STOP_AT", "must be one of \(known)")
      }
      let log = KitLog.standardError(minimum: .info)
      return { checkpoint in
        guard checkpoint == wanted else { return }
        log(.info, "stopped at a checkpoint", ("checkpoint", checkpoint.rawValue))
        ProcessFacts.standStill()
      }
    }
  #endif
}

/// A place where a service cannot listen, and why.
struct ListenFailure: Error, CustomStringConvertible {
  let place: String
  let cause: HTTPListenerError

  var description: String { "cannot listen on \(place): \(cause)" }

  /// An address that is wrong is a setting to correct; all else is the machine's state.
  var exitCode: Int32 {
    switch cause {
    case .addressInvalid, .addressUnavailable: ConfigurationError.exitCode
    case .portTaken, .notPermitted, .system: 69
    }
  }
}

/// Serves a handler and what belongs to it until a signal comes, then drains.
struct LiveService: Sendable {
  let listener: HTTPListener
  let url: String
  let grace: Duration

  /// Opens the port. A port that is taken is named.
  init(
    address: String, port: UInt16, grace: Duration, limits: HTTPListenerLimits = .init(),
    handler: any HTTPHandler, environment: KitEnvironment
  ) throws(ListenFailure) {
    do {
      listener = try HTTPListener(
        address: address, port: port, limits: limits, handler: handler,
        log: { environment.log(.warning, "listener", ("detail", $0)) },
        observe: { environment.metrics.note($0) })
    } catch {
      throw ListenFailure(place: "\(address), port \(port)", cause: error)
    }
    self.grace = grace
    url = Self.url(address, listener.port)
  }

  /// Where a client of this machine finds it; an address that stands for all is reached by name
  /// of the nearest.
  static func url(_ address: String, _ port: UInt16) -> String {
    switch address {
    case "0.0.0.0", "::": "http://127.0.0.1:\(port)"
    default: address.contains(":") ? "http://[\(address)]:\(port)" : "http://\(address):\(port)"
    }
  }

  /// Serves until `stop` says so; requests in flight are finished, within the grace. `work` goes
  /// on until then and is cancelled after it.
  func run(stop: @escaping @Sendable () async -> Void, work: @escaping @Sendable () async -> Void)
    async
  {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await listener.run() }
      group.addTask { await work() }
      await stop()
      _ = await listener.drain(grace: grace)
      group.cancelAll()
    }
  }
}
