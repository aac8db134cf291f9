import AppSimulator
import CurlTransport
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import ProviderSandbox
import SQLitePaymentStore
import SystemRuntime

/// `till run`: sandbox, merchant server and a fulfilment receiver in one process, on free ports of
/// this machine, over a store that is gone afterwards.
enum LocalStack {
  static func run(_ environment: KitEnvironment) async throws -> Int32 {
    let watch = try SignalWatch()
    defer { watch.close() }
    let directory = try Files.makeTemporaryDirectory()
    defer { try? Files.removeTree(directory) }
    let shop = DemoShop(directory: directory, environment: environment)
    let transport = CurlTransport()

    let sandbox = TabbySandbox(
      settings: TabbySandboxSettings(keys: [shop.tabbyKey]), environment: environment,
      transport: transport)
    let receiver = FulfilmentReceiver { message in
      environment.log(
        .info, "message received", ("type", message.type), ("order_id", message.orderID))
    }
    let sandboxService = try service(sandbox, environment)
    let receiverService = try service(receiver, environment)
    try shop.write(sandbox: sandboxService.url, fulfilment: receiverService.url, port: 0)

    let configuration = try ServerConfiguration(
      file: shop.configurationFile, environment: shop.environment)
    let waiters = WaiterTable(
      waitersMax: ServerSettings(appReturnBase: configuration.appReturnBase).waitersMax)
    let store = try SQLitePaymentStore.open(
      path: configuration.database, onCommit: { waiters.committed($0) })
    let composition = ServerComposition(
      configuration, store: store, waiters: waiters, transport: transport,
      environment: environment)
    let server = try service(composition.handler, environment, grace: configuration.drainGrace)

    await withTaskGroup(of: Void.self) { group in
      let sandboxEnd = AsyncStream.makeStream(of: Void.self)
      let receiverEnd = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        await sandboxService.run(
          stop: { for await _ in sandboxEnd.stream {} }, work: { await sandbox.run() })
      }
      group.addTask {
        await receiverService.run(stop: { for await _ in receiverEnd.stream {} }, work: {})
      }
      do {
        try await SandboxRegistration(
          transport: transport, sandbox: sandboxService.url, shop: shop
        ).register(server: server.url)
        greet(shop, server: server.url, sandbox: sandboxService.url)
        // The server goes first, so that what it still answers can reach the others.
        await server.run(
          stop: { await Program.untilStopped(watch) }, work: { await composition.run() })
      } catch {
        Output.complain("error: \(error)")
      }
      sandboxEnd.continuation.finish()
      receiverEnd.continuation.finish()
      await group.waitForAll()
    }
    await store.close()
    await transport.close()
    Output.write("stopped; nothing is left behind\n")
    return 0
  }

  private static func service(
    _ handler: any HTTPHandler, _ environment: KitEnvironment, grace: Duration = .seconds(2)
  ) throws -> LiveService {
    try LiveService(
      address: "127.0.0.1", port: 0, grace: grace, handler: handler, log: environment.log)
  }

  private static func greet(_ shop: DemoShop, server: String, sandbox: String) {
    let till = ProcessFacts.programPath() ?? "till"
    Output.write(
      """
      merchant server  \(server)
      Tabby sandbox    \(sandbox)

      In another terminal:
        export TILL_SERVER=\(server)
        export TILL_OPERATOR_KEY=\(shop.operatorKey.reveal())
        export TILL_APP_TOKEN=\(shop.token(.approved).reveal())
        \(till) checkout create --item lamp     # then open the URL; the code is 8888
        \(till) payment list
        \(till) payment watch PAYMENT_ID
        \(till) order explain ORDER_ID
        \(till) payment refund PAYMENT_ID --amount 100.00

      A line for each event follows. Ctrl-C stops.

      """)
  }
}
