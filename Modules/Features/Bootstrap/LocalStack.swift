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
    let directory = try Program.makeTemporaryDirectory()
    let result: Result<Void, any Error>
    do {
      result = .success(try await serve(environment, directory, watch))
    } catch {
      result = .failure(error)
    }
    // Before the outcome is told: also what failed leaves nothing behind.
    try Files.removeTree(directory)
    try result.get()
    Output.write("stopped; nothing is left behind\n")
    return 0
  }

  private static func serve(
    _ environment: KitEnvironment, _ directory: String, _ watch: SignalWatch
  ) async throws {
    let shop = DemoShop(directory: directory, environment: environment)
    let events = EventLines(clock: environment.clock) { Output.write($0) }
    let transport = CurlTransport()
    var sandboxEnvironment = environment
    sandboxEnvironment.log = events.provider
    let sandbox = DemoSandbox(
      tabby: TabbySandboxSettings(keys: [shop.tabbyKey, TabbySandboxSettings.demoPublicKey]),
      futaKeys: [shop.futaKey], raisKeys: [shop.raisKey], tebexKeys: [shop.tebexKey],
      sebSecrets: [shop.sebSecret],
      environment: sandboxEnvironment, transport: transport)
    let sandboxService = try service(sandbox.handler, environment)
    let receiver = FulfilmentReceiver { events.shop($0.type, $0.orderID) }
    let receiverService = try service(receiver, environment)
    try shop.write(sandbox: sandboxService.url, fulfilment: receiverService.url, port: 0)

    let configuration = try ServerConfiguration(
      file: shop.configurationFile, environment: shop.environment)
    let waiters = WaiterTable(
      waitersMax: ServerSettings(appReturnBase: configuration.appReturnBase).waitersMax)
    let store = try SQLitePaymentStore.open(
      path: configuration.database,
      onCommit: {
        waiters.committed($0)
        events.committed($0)
      })
    let composition = ServerComposition(
      configuration, store: store, waiters: waiters, transport: transport,
      environment: environment)
    let server = try service(composition.handler, environment, grace: configuration.drainGrace)
    let registration = SandboxRegistration(
      transport: transport, sandbox: sandboxService.url, shop: shop)

    let result = await withTaskGroup(of: Void.self) { group -> Result<Void, any Error> in
      let end = AsyncStream.makeStream(of: Void.self)
      let receiverEnd = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        await sandboxService.run(
          stop: { for await _ in end.stream {} }, work: { await sandbox.run() })
      }
      group.addTask {
        await receiverService.run(
          stop: { for await _ in receiverEnd.stream {} }, work: { await events.run(store) })
      }
      defer {
        end.continuation.finish()
        receiverEnd.continuation.finish()
      }
      do {
        try await registration.register(server: server.url)
      } catch {
        return .failure(error)
      }
      greet(shop, server: server.url, sandbox: sandboxService.url)
      // The server goes first, so that what it still answers can reach the others.
      await server.run(
        stop: {
          await Program.untilStopped(watch)
          await waiters.close()
        }, work: { await composition.run() })
      return .success(())
    }
    await store.close()
    await transport.close()
    try result.get()
  }

  private static func service(
    _ handler: any HTTPHandler, _ environment: KitEnvironment, grace: Duration = .seconds(2)
  ) throws -> LiveService {
    try LiveService(
      address: "127.0.0.1", port: 0, grace: grace, handler: handler, environment: environment)
  }

  private static func greet(_ shop: DemoShop, server: String, sandbox: String) {
    let till = Program.nameAsTyped
    // It goes with the stack: the next one knows none of its payments.
    let phone = "\(shop.directory)/phone.db"
    Output.write(
      """
      dashboard        \(server)/dashboard   (key: \(shop.operatorKey.reveal()))
      merchant server  \(server)
      sandboxes        \(sandbox)
      sandbox control  \(sandbox)/sandbox   (pay, decline, faults, webhooks, clock)

      In another terminal, in the same directory:
        export TILL_SERVER=\(server)
        export TILL_OPERATOR_KEY=\(shop.operatorKey.reveal())
        export TILL_APP_TOKEN=\(shop.token(.approved).reveal())
        \(till) checkout create --item lamp
        \(till) checkout create --item solar --provider futa
        \(till) checkout create --item radio --provider rais
        \(till) checkout create --item 6276316 --provider tebex
        \(till) checkout create --item sauna --provider seb
        \(till) payment list
        \(till) help payment refund

      The app without a screen; kill it when you like, and start it anew:
        \(till)-app buy --store \(phone) --item lamp
        \(till)-app resume --store \(phone)
        \(till)-app buy --store \(phone) --item solar --provider futa \\
          --checkout-origin \(sandbox)

      Open the URL that the first five print: Tabby's code is 8888; at Futa a number that ends in
      01 pays; at Raïs a card that ends in 0001, and then the code 1234; at Tebex Test Payments; at
      SEB the card 5186 0000 0000 0005 and 1234. The way back to the shop is a link into the app,
      which a browser without the app does not follow; the order is paid all the same.
      Products: tee, mug, lamp (Tabby), solar (Futa), radio (Raïs), 6276316, 6276317 (Tebex),
      sauna (SEB).
      What else there is: \(till) --help

      A line for each event follows. Ctrl-C stops.

      """)
  }
}
