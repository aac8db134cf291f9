import CheckoutLifecycle
import CheckoutSession
import HTTPExchange
import KitEnvironment
import MerchantClient
import PaymentModels

/// The payer's phone: the app, which is killed and launched, its disk, and the browser in which
/// hosted pages appear, which lives on without the app.
// Reached only from jobs and timers of the world, so on its one thread.
final class Phone: @unchecked Sendable {
  /// What payer and system do to the app.
  enum Happening: Sendable {
    case buys(CheckoutRequest, PresentationStrategy?)
    case follows(link: String)
    case closesPage(CheckoutKey)
    case app(CheckoutEvent)
  }

  private struct Wish {
    let request: CheckoutRequest
    let strategy: PresentationStrategy?
    let at: Duration
  }

  let app: Party
  let browser: Party
  /// The latest order that the payer has seen here, and where it is paid.
  private(set) var latest: (order: OrderID, provider: ProviderName)?
  private let disk: Party
  private let network: WorldNetwork
  private let settings: WorldSettings
  private let payer: Int
  private unowned let world: WorldRun
  private let store = InMemoryDeviceStore()
  private var words: SeededWords
  private var feed: AsyncStream<Happening>.Continuation?
  private var root: Task<Void, Never>?
  private var isStopped = false
  /// Counts the pages of each checkout: a visit is over once another number stands here.
  private var pages: [CheckoutKey: Int] = [:]
  private var inApp: Set<CheckoutKey> = []
  private var providers: [CheckoutKey: ProviderName] = [:]
  /// What was last seen of each checkout.
  private var payments: [CheckoutKey: CheckoutPayment] = [:]
  /// What was asked for under each key, and when it was last.
  private var wishes: [CheckoutKey: Wish] = [:]
  /// Checkouts that last said that they wait, and have no order.
  private var waiting: Set<CheckoutKey> = []
  /// Checkouts of which the server may have heard, and did not refuse.
  private var asked: Set<CheckoutKey> = []
  /// The latest wish that nobody was signed in for.
  private var refused: CheckoutKey?
  /// Which sign-in the app holds a token of.
  private var signIn = 0
  private var isSigningIn = false

  init(
    _ device: WorldParties.Device, of payer: Int, network: WorldNetwork, settings: WorldSettings,
    seed: UInt64, world: WorldRun
  ) {
    app = device.app
    disk = device.disk
    browser = device.browser
    self.network = network
    self.settings = settings
    self.payer = payer
    self.world = world
    words = SeededWords(seed: seed, name: device.app.name)
  }

  // MARK: The app

  var isRunning: Bool { feed != nil }

  func launch() {
    guard feed == nil, !isStopped else { return }
    app.note("is launched")
    let (happenings, feed) = AsyncStream.makeStream(of: Happening.self)
    self.feed = feed
    let backend = SignedInBackend(
      inner: settings.backend(
        MerchantClient(
          baseURL: WorldShop.serverURL, transport: network.transport(of: app),
          token: { self.token })), onSignInNeeded: signsInAgain,
      onCreate: { self.asked.insert($0) }, onRefusal: { self.asked.remove($0) })
    let session = CheckoutSession(
      store: PhoneDisk(path: DiskPath(from: app, to: disk), inner: store), backend: backend,
      environment: app.environment, page: page)
    root = app.start { [self] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await session.run() }
        group.addTask { for await update in session.updates { self.shows(update) } }
        group.addTask { await self.live(session, happenings) }
      }
    }
  }

  private func live(_ session: CheckoutSession, _ happenings: AsyncStream<Happening>) async {
    await attempt("resume") { try await session.resume() }
    for await happening in happenings {
      switch happening {
      case .buys(let request, let strategy):
        await attempt("buy") {
          let key = try await session.start(request, strategy: strategy)
          providers[key] = request.provider
          wishes[key] = Wish(request: request, strategy: strategy, at: app.scheduler.now)
          leaveOthers(than: key, request)
        }
      case .follows(let link): await attempt("link") { try await session.open(link: link) }
      case .closesPage(let key): await session.send(.closed, to: key)
      case .app(let event): await session.send(event)
      }
    }
  }

  private var token: Secret { WorldSessions.appToken(payer, signIn) }

  /// The app shows its own sign-in; the payer takes a while over it, and then does again what the
  /// app had refused.
  private func signsInAgain() {
    guard !isSigningIn else { return }
    isSigningIn = true
    app.note("asks its payer to sign in")
    app.scheduler.after(words.duration(2_000...60_000)) { [self] in
      isSigningIn = false
      signIn = world.sessions.generation(of: payer)
      app.note("is signed in again")
      app.scheduler.coverage.reach(.signedInAgain)
      guard let key = refused, let wish = wishes[key] else { return }
      refused = nil
      happens(.buys(wish.request, wish.strategy))
    }
  }

  private func leaveOthers(than key: CheckoutKey, _ request: CheckoutRequest) {
    guard let order = request.purchase.order else { return }
    for other in Set(payments.keys).union(wishes.keys).sorted() where other != key {
      let known = payments[other]?.orderID ?? wishes[other]?.request.purchase.order
      if known == order { world.left(other, payments[other], on: self) }
    }
  }

  private func attempt<Value>(_ what: String, _ work: () async throws -> Value) async {
    do {
      _ = try await work()
    } catch {
      app.note("\(what) failed: \(error)")
    }
  }

  private func shows(_ update: CheckoutUpdate) {
    if let payment = update.payment {
      payments[update.key] = payment
      if let provider = providers[update.key] { latest = (payment.orderID, provider) }
    }
    if update.payment == nil, [.preparing, .confirming].contains(update.display) {
      waiting.insert(update.key)
    } else {
      waiting.remove(update.key)
    }
    if update.display == .notStarted(.signInNeeded) { refused = update.key }
    let words =
      switch update.display {
      case .preparing: "preparing"
      case .confirming: "confirming"
      case .notStarted: "not_started"
      case .outcome(let outcome): outcome.stored
      }
    world.shown(words, of: update.key, update.payment, on: self)
  }

  /// Something happens; the system launches the app for a purchase or a link.
  func happens(_ happening: Happening) {
    switch happening {
    case .buys, .follows: launch()
    case .closesPage, .app: break
    }
    app.note(happening.words)
    feed?.yield(happening)
  }

  /// The payer looks at the app again.
  func comesBack() {
    launch()
    happens(.app(.foregrounded))
  }

  func crash(afterJobs jobs: Int) {
    guard isRunning, !isStopped else { return }
    app.executor.crash(afterJobs: jobs) { self.crash() }
  }

  private func crash() {
    app.scheduler.coverage.reach(.fault, "app crash")
    app.note("is killed")
    feed = nil
    root = nil
    let executor = app.executor
    app.kill()
    network.died(executor)
    // A page inside the app goes with it, and nobody is left to be told.
    for key in inApp.sorted() { pages[key, default: 0] += 1 }
    inApp = []
    // What nobody was asked for is gone with its screen, unless the next life finds it on its disk.
    for key in waiting.subtracting(asked).sorted() { world.left(key, nil, on: self) }
    // So is what was wanted long ago and never had a page: of that, the next life tells of money
    // alone.
    for (key, wish) in wishes.sorted(by: { $0.key < $1.key })
    where pages[key] == nil && app.scheduler.now - wish.at > Self.oldAge {
      world.left(key, payments[key], on: self)
    }
    waiting = []
    app.scheduler.after(words.duration(500...90_000)) { self.launch() }
  }

  /// A day, less what a clock may be off.
  private static let oldAge = CheckoutPolicy().intentAgeMax - .seconds(7_200)

  /// Ends the present life in the orderly way.
  func stop() -> Task<Void, Never>? {
    isStopped = true
    app.executor.crashesNoMore()
    root?.cancel()
    return root
  }

  /// What is written on the phone, for whoever looks for what may not be there.
  func writtenText() async -> [String] {
    let records = (try? await store.all()) ?? []
    return records.flatMap { record in record.fields.map(\.value) }
  }

  // MARK: Pages

  private var page: CheckoutPage {
    CheckoutPage(
      open: { [self] key, url, strategy in
        app.note("opens the page of \(key) (\(strategy.rawValue))")
        pages[key, default: 0] += 1
        if strategy == .webView { inApp.insert(key) }
        let visit = Visit(
          phone: self, browser: browser, transport: network.transport(of: browser), key: key,
          page: pages[key, default: 0])
        browser.start { await visit.run(url) }
      },
      close: { [self] key in
        app.note("takes the page of \(key) away")
        pages[key, default: 0] += 1
        inApp.remove(key)
      })
  }

  func isOpen(_ page: Int, of key: CheckoutKey) -> Bool { pages[key] == page }

  /// The page ends by itself: the browser goes to a link of the app, or the payer closes it.
  func ends(_ page: Int, of key: CheckoutKey, link: String?) {
    guard isOpen(page, of: key) else { return }
    if let link {
      happens(.follows(link: link))
    } else {
      pages[key, default: 0] += 1
      inApp.remove(key)
      happens(.closesPage(key))
    }
  }
}

extension CheckoutRequest.Purchase {
  /// The order that is there already, if it is of one.
  fileprivate var order: OrderID? {
    switch self {
    case .order(let id), .edited(let id, _): id
    case .items: nil
    }
  }
}

extension Phone.Happening {
  /// As it stands in the trace.
  fileprivate var words: String {
    switch self {
    case .buys(let request, let strategy):
      let place = strategy.map { " in \($0.rawValue)" } ?? ""
      let end = "at \(request.provider)\(place)"
      func list(_ items: [CheckoutRequest.Item]) -> String {
        items.map { "\($0.quantity) \($0.productID)" }.joined(separator: ", ")
      }
      return switch request.purchase {
      case .items(let items): "buys \(list(items)) \(end)"
      case .order(let id): "tries order \(id) again \(end)"
      case .edited(let id, let items): "makes order \(id) one of \(list(items)) \(end)"
      }
    case .follows(let link): return "is opened by \(link)"
    case .closesPage(let key): return "has the page of \(key) closed"
    case .app(let event): return "is \(event)"
    }
  }
}
