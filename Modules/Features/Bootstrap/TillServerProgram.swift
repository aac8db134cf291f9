import CommandLineParser
import CurlTransport
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentStore
import ProviderInterface
import SQLitePaymentStore
import SystemRuntime

/// `till-server`: the merchant backend as a process.
public enum TillServerProgram {
  struct Options: Sendable {
    var configuration: String
    var broken: BrokenServer?
  }

  /// Runs the program and returns its exit code.
  public static func run(_ arguments: [String]) async -> Int32 {
    await Program.run(command, arguments) { options in
      let variables = ProcessFacts.environment()
      let configuration = try ServerConfiguration(
        file: options.configuration, environment: variables)
      let environment = try KitEnvironment.live(variables, format: .json)
      ProcessFacts.raiseDescriptorLimit()
      let watch = try SignalWatch()
      defer { watch.close() }
      return try await serve(configuration, options.broken, environment, watch)
    }
  }

  private static func serve(
    _ configuration: ServerConfiguration, _ broken: BrokenServer?, _ environment: KitEnvironment,
    _ watch: SignalWatch
  ) async throws -> Int32 {
    let limits = ServerSettings(appReturnBase: configuration.appReturnBase)
    let waiters = WaiterTable(waitersMax: limits.waitersMax)
    let store: SQLitePaymentStore
    do {
      store = try SQLitePaymentStore.open(
        path: configuration.database,
        driver: ThreadCommitDriver { environment.metrics.observe($0, in: .commitSeconds) },
        onCommit: { waiters.committed($0) })
    } catch {
      throw StoreFailure(path: configuration.database, cause: error)
    }
    let transport = CurlTransport()
    let composition = ServerComposition(
      configuration, store: store, waiters: waiters, transport: transport,
      environment: environment, wrap: { broken?.wrap($0) ?? $0 })
    let handler = broken?.wrap(composition.handler, configuration, store, transport, environment)
    let service: LiveService
    do {
      service = try LiveService(
        address: configuration.address, port: configuration.port, grace: configuration.drainGrace,
        limits: configuration.limits.listener, handler: handler ?? composition.handler,
        environment: environment)
    } catch {
      await store.close()
      throw error
    }
    Output.write("till-server listening on \(service.url)\n")
    await service.run(
      stop: {
        await Program.untilStopped(watch)
        await waiters.close()
      }, work: { await composition.run() })
    await store.close()
    await transport.close()
    Output.write("till-server stopped\n")
    return 0
  }

  static let command = Command<Options>(
    "till-server", "Serves the merchant API over a SQLite store",
    discussion: """
      Settings stand in a JSON file; secrets come from the environment or from files that the \
      settings name. Ends on Ctrl-C and SIGTERM, after requests in flight were answered.

      Environment:
        TILL_LISTEN_ADDRESS, TILL_LISTEN_PORT, TILL_DATABASE
                          stand before the file
        TILL_LOG_LEVEL    debug, info, warning or error (info)
        TILL_LOG_FORMAT   json or text (json)

      Exit codes:
        0   stopped as asked     74  the store cannot be opened
        64  wrong usage          78  a setting is missing or wrong
        69  the port is taken
      """,
    options: [
      .option("config", "FILE", "The settings", count: .required)
    ] + BrokenServer.options,
    examples: [("till-server --config till-server.json", "serves until Ctrl-C")]
  ) { arguments throws(UsageError) in
    Options(
      configuration: arguments.required("config"), broken: try BrokenServer(arguments))
  }
}
