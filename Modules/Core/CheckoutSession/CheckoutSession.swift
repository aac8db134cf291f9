public import CheckoutLifecycle
public import KitEnvironment
import PaymentModels

/// The checkouts of one user on one device: takes what happens, performs what the lifecycle asks,
/// and tells what to show.
///
/// ``run()`` performs the work and must be running for anything to happen; every request, page
/// and watcher hangs under it. Call ``resume()`` once at launch, ``start(_:strategy:)`` when the
/// payer taps "pay", ``open(link:)`` with every link the app is opened with, and
/// ``send(_:)`` when the app goes to the background or comes back.
public actor CheckoutSession {
  /// What to show, in order, for one reader. Only the newest ``updatesMax`` wait for a reader that
  /// is away; the last one of a checkout says all.
  public nonisolated let updates: AsyncStream<CheckoutUpdate>
  /// Most updates that wait.
  public static let updatesMax = 256
  /// No signal joins while this many effects wait, such as during a hang of the disk.
  static let waitingMax = 64

  let store: any DeviceStore
  let backend: any MerchantBackend
  let environment: KitEnvironment
  let policy: CheckoutPolicy
  let page: CheckoutPage
  private let show: AsyncStream<CheckoutUpdate>.Continuation

  var states: [CheckoutKey: CheckoutState] = [:]
  private var isLoaded = false
  var work: [(key: CheckoutKey, effect: CheckoutEffect)] = []
  var wake: AsyncStream<Void>.Continuation?
  var runs: [CheckoutKey: WatchRun] = [:]
  var signals: [(key: CheckoutKey, signal: CheckoutSignal)] = []
  var isSignalling = false
  /// Whether the user has signed out and is not back: nothing is asked or shown meanwhile.
  var isSignedOut = false
  /// Checkouts from which the payer expects nothing any more, and has not asked for since: found
  /// very late, or followed by one of the same order with other terms.
  private var quiet: Set<CheckoutKey> = []
  /// How often each kind of signal was told of a checkout.
  var told: [CheckoutKey: [CheckoutSignal: Int]] = [:]
  /// Checkouts whose payment the server said it does not know: another user's, or of a server that
  /// was made anew. They stay open, but stand in no tap's way.
  var unknown: Set<CheckoutKey> = []

  /// Builds a session; nothing is read or sent yet.
  public init(
    store: any DeviceStore, backend: any MerchantBackend, environment: KitEnvironment,
    page: CheckoutPage, policy: CheckoutPolicy = CheckoutPolicy()
  ) {
    self.store = store
    self.backend = backend
    self.environment = environment
    self.page = page
    self.policy = policy
    (updates, show) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.updatesMax))
  }

  deinit { show.finish() }

  // MARK: What happens

  /// The payer wants to pay: begins a checkout, or goes on with the one that is open for the same
  /// request, so that a second tap makes no second payment.
  ///
  /// An order that is to be paid otherwise than begun, with another cart or at another provider, is
  /// a checkout of its own. The one before stops being asked about and opens no page any more; of
  /// it only money is told, under its own key.
  ///
  /// - Parameter strategy: how to show the page; nil takes what the kit recommends.
  /// - Returns: the checkout's key.
  /// - Throws: ``CheckoutRefusal``, or what the store throws while it is read.
  public func start(
    _ request: CheckoutRequest, strategy: PresentationStrategy? = nil
  ) async throws -> CheckoutKey {
    try await load()
    isSignedOut = false
    if openCheckout(for: request) == nil { try await takeIn() }
    if let key = openCheckout(for: request) {
      goOn(with: key)
      return key
    }
    if let strategy,
      let refusal = PresentationRefusal.refusal(provider: request.provider, strategy: strategy)
    {
      throw CheckoutRefusal.refusedPresentation(reason: refusal.reason)
    }
    guard
      let strategy = strategy ?? PresentationRule.recommended(for: request.provider),
      PresentationRule.rule(provider: request.provider, strategy: strategy) != nil
    else { throw CheckoutRefusal.unsupportedPresentation }
    try await makeRoom(for: 1)
    // Between the wait above and here a second tap may have begun it.
    if let key = openCheckout(for: request) {
      goOn(with: key)
      return key
    }
    leaveOthers(of: request)
    let record = CheckoutRecord(
      key: CheckoutKey(environment.newUUID()), request: request, strategy: strategy,
      createdAt: environment.clock.now())
    states[record.key] = CheckoutState(record: record)
    apply(.started, to: record.key)
    return record.key
  }

  /// The process is new: takes up every checkout that the store holds open, and shows once more
  /// how those ended that did so within ``CheckoutPolicy/retellAgeMax``: an outcome is stored
  /// before it is shown, so the process before may have died without having told the payer. Call
  /// it also when the user who has signed out signs in again; another user has another store.
  ///
  /// - Returns: the keys of the open ones, in the order in which they were started.
  /// - Throws: what the store throws.
  @discardableResult
  public func resume() async throws -> [CheckoutKey] {
    try await load()
    let isBack = isSignedOut
    isSignedOut = false
    let open = openKeys
    let now = environment.clock.now()
    for key in states.keys.sorted() {
      // What this process began, or a link has woken, is not found anew.
      guard let state = states[key], state.phase == .new || isBack else { continue }
      let end = state.record.settledAt ?? state.record.createdAt
      let isRecent = now.since(end) <= policy.retellAgeMax
      if isOpen(key) || isRecent { apply(.relaunched, to: key) }
    }
    return open
  }

  /// A link came, from the system or as a navigation of a web view.
  ///
  /// A link that names a payment wakes that one; one that names none wakes every open checkout
  /// that it can belong to.
  /// - Returns: whether it is a return URL of a checkout; if not, it is the app's own business.
  /// - Throws: what the store throws; offer the link again later.
  public func open(link url: String) async throws -> Bool {
    try await load()
    let matches = states.keys.sorted().compactMap { key in
      states[key]?.record.match(url).map { (key: key, link: $0) }
    }
    let aims = matches.map { states[$0.key]?.record.aim(of: $0.link) }
    for ((key, link), aim) in zip(matches, aims) {
      let isMeant = aims.contains(.named) ? aim == .named : aim == .open && isOpen(key)
      if isMeant { apply(.returned(link), to: key) }
    }
    return !matches.isEmpty
  }

  /// A browser session of the system ended: at `callback`, or with nil because it was closed. A
  /// session belongs to one checkout, so no other hears of it.
  public func endPage(of key: CheckoutKey, at callback: String?) {
    let link = callback.flatMap { states[key]?.record.match(callback: $0) }
    apply(link.map { .returned($0) } ?? .closed, to: key)
  }

  /// Something happened to one checkout, such as its page having closed.
  public func send(_ event: CheckoutEvent, to key: CheckoutKey) {
    apply(event, to: key)
  }

  /// Something happened to the app: every checkout hears of it.
  ///
  /// After `signedOut` nothing is heard until ``start(_:strategy:)`` or ``resume()`` says that the
  /// user is back: whoever comes next would ask with another token about payments of the last one.
  public func send(_ event: CheckoutEvent) {
    for key in states.keys.sorted() { apply(event, to: key) }
    if event == .signedOut { signOut() }
  }

  /// Where a checkout stands; nil if there is none of that key.
  public func state(of key: CheckoutKey) -> CheckoutState? { states[key] }

  /// Keys of the checkouts whose outcome is not proven, in the order in which they were started.
  public var openKeys: [CheckoutKey] { states.keys.filter(isOpen).sorted() }

  // MARK: Inside

  func apply(_ event: CheckoutEvent, to key: CheckoutKey) {
    guard let step = states[key]?.after(event), !isSignedOut || event.isOfTheStore else { return }
    if event.isOfThePayer { quiet.remove(key) }
    states[key] = step.state
    for effect in step.effects { enqueue(effect, for: key) }
  }

  /// The server has answered a create or a read.
  func hear(_ answer: CheckoutEvent, of key: CheckoutKey) {
    states[key]?.isAnswered(at: environment.clock.now())
    apply(answer, to: key)
  }

  private func signOut() {
    isSignedOut = true
    signals = []
    for key in runs.keys { stopWatch(key) }
  }

  func tell(_ display: CheckoutDisplay, of key: CheckoutKey) {
    // Of these only money is news: neither that they are asked about, nor that they have expired
    // or were ended meanwhile.
    if quiet.contains(key), !display.isNewsOfMoney { return }
    show.yield(CheckoutUpdate(key: key, payment: states[key]?.record.payment, display: display))
  }

  /// A refused request is over: the next tap is a new checkout under a new key.
  private func isOpen(_ key: CheckoutKey) -> Bool {
    guard let state = states[key] else { return false }
    return state.record.stage != .settled && state.phase != .blocked(.refused)
  }

  private func openCheckout(for request: CheckoutRequest) -> CheckoutKey? {
    // The newest, since an earlier one of the order may have been begun with other terms.
    openKeys.last { key in
      guard let record = states[key]?.record, !unknown.contains(key) else { return false }
      if case .order(let id) = request.purchase, record.payment?.orderID == id,
        record.request.provider == request.provider
      {
        return true
      }
      return record.request == request
    }
  }

  private func goOn(with key: CheckoutKey) {
    states[key]?.isWanted(at: environment.clock.now())
    apply(.started, to: key)
  }

  /// Lets go of what the order was begun with.
  private func leaveOthers(of request: CheckoutRequest) {
    guard let order = request.purchase.order else { return }
    for key in openKeys {
      guard let record = states[key]?.record else { continue }
      if (record.payment?.orderID ?? record.request.purchase.order) == order {
        apply(.viewLeft, to: key)
        quiet.insert(key)
      }
    }
  }

  // MARK: The store

  private func load() async throws {
    guard !isLoaded else { return }
    let records = try await store.all()
    guard !isLoaded else { return }
    isLoaded = true
    for record in records where states[record.key] == nil {
      states[record.key] = CheckoutState(record: record)
    }
    let now = environment.clock.now()
    for key in states.keys.sorted() {
      // What a tap or a link has taken up meanwhile is no longer what was found.
      guard let state = states[key], state.phase == .new else { continue }
      var record = state.record
      let age = now.since(record.createdAt)
      switch record.stage {
      case .intent where age > policy.intentAgeMax: await forget(key)
      case .settled where age > policy.settledAgeMax: await forget(key)
      case .created where age > policy.intentAgeMax:
        // No launch opens its page any more: as one that was left, it is asked about.
        record.stage = .opened
        states[key] = CheckoutState(record: record)
        quiet.insert(key)
      case .intent, .created, .opened, .settled: break
      }
    }
    try await makeRoom(for: 0)
  }

  /// Finds what other processes of the app have begun since the store was loaded.
  private func takeIn() async throws {
    for record in try await store.all() where states[record.key] == nil {
      states[record.key] = CheckoutState(record: record)
    }
  }

  private func makeRoom(for added: Int) async throws {
    let settled = states.keys.filter { !isOpen($0) }.sorted()
    let excess = states.count + added - policy.recordsMax
    guard excess <= settled.count || added == 0 else { throw CheckoutRefusal.tooManyOpen }
    for key in settled.prefix(max(0, excess)) { await forget(key) }
  }

  func forget(_ key: CheckoutKey) async {
    states[key] = nil
    told[key] = nil
    unknown.remove(key)
    quiet.remove(key)
    await drop(key)
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
