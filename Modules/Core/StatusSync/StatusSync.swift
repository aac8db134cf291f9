public import KitEnvironment
public import PaymentModels
public import PaymentStore
public import ProviderInterface

/// Keeps payments as their providers have them: reads when asked, when due and when a webhook
/// says that something happened.
///
/// A read changes money state, and the signed body of a webhook where the provider's document
/// calls it proof and the read cannot tell. Reads of one payment share one call;
/// they run under ``run(resumeCreate:)``, so that a caller that leaves takes nothing away from
/// the others. Each account has calls of its own: one that is slow keeps no other waiting.
public actor StatusSync {
  typealias Lane = SharedWork<PaymentID, ReadOutcome>

  let store: any PaymentStore
  let providers: [any PaymentProvider]
  let settings: SyncSettings
  let environment: KitEnvironment
  /// By uptime; what an earlier process asked of the accounts is not known.
  let startedAt: Duration
  /// Rung when a delivery was stored; holds one ring, since one look finds them all.
  let inboxBell = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// Deliveries that are worked on now.
  var busyWebhooks: [WebhookID: AccountKey] = [:]
  /// How long the inbox waits after the store has refused, and until when.
  var inboxPace: WorkerPace
  var inboxPause: Duration = .zero
  /// One for each of `providers`.
  private var lanes: [Lane] = []
  /// What the next read of a payment is for; gone once the read begins.
  private var asks: [PaymentID: Ask] = [:]
  /// Payments whose read is past its gap.
  private var reading: Set<PaymentID> = []
  /// When the last read of a payment began; pruned once older than the gap.
  private var lastReads: [PaymentID: Duration] = [:]
  /// When ids that nobody knows were read in the last minute, oldest first.
  var unknownReads: [ProviderName: [Duration]] = [:]
  /// Deliveries that naming nothing known were let in with one of those reads.
  var unknownReadsTaken: Set<WebhookID> = []
  /// Accounts whose last answer brought nothing.
  var slowdowns: [AccountKey: Slowdown] = [:]
  /// What each account may still be asked in this minute.
  var budgets: [AccountKey: ReadBudget] = [:]
  /// Payments whose next read the schedule has taken from its account's budget already.
  private var paidReads: Set<PaymentID> = []
  /// Ticks of the schedule so far.
  var ticks = 0
  /// By how much wall time was ahead of uptime at the last tick; nil before the first.
  var clockLead: Duration?

  /// Why a read happens, and what else is to be read along.
  struct Ask: Sendable {
    var channel: Channel
    /// Provider ids that webhooks named and that no row knows yet.
    var candidates: [ProviderPaymentID] = []

    /// More ids than the real twins of one payment ever are: beyond, somebody makes them up.
    static let candidatesMax = 8
  }

  /// Composes a sync over a store and the accounts whose payments it reads.
  public init(
    store: any PaymentStore, providers: [any PaymentProvider], settings: SyncSettings,
    environment: KitEnvironment
  ) {
    self.store = store
    self.providers = providers
    self.settings = settings
    self.environment = environment
    inboxPace = WorkerPace(tick: settings.tick)
    startedAt = environment.clock.uptime()
  }

  /// Works until the task is cancelled: shared reads, the schedule and the webhook inbox.
  ///
  /// - Parameter resumeCreate: takes up a create whose outcome is not known, and does not wait
  ///   for it; called when such a payment is due.
  public func run(
    resumeCreate: @escaping @Sendable (PaymentID) async -> Void
  ) async {
    let lanes = readLanes()
    await withTaskGroup(of: Void.self) { group in
      for lane in lanes { group.addTask { await lane.run() } }
      group.addTask { await self.runSchedule(resumeCreate) }
      group.addTask { await self.runInbox() }
      group.addTask { await self.runUpkeep() }
    }
  }

  /// Reads a payment at its provider, or joins the read that is under way.
  ///
  /// - Parameter channel: who caused it, for the journal.
  /// - Returns: whether the store now holds what the provider says. ``ReadOutcome/notRead`` also
  ///   if the caller was cancelled or the sync does not run.
  public func refresh(_ id: PaymentID, because channel: Channel) async -> ReadOutcome {
    guard let lane = await lane(of: id) else { return .notRead }
    if !reading.contains(id) { note(id, channel) }
    let outcome = await lane.value(for: id)
    await forget(id, in: lane)
    return outcome ?? .notRead
  }

  /// Has a payment read soon and does not wait: what a hint may cause.
  public func startRefresh(_ id: PaymentID) async {
    guard let lane = await lane(of: id) else { return }
    await start(id, in: lane, because: .device)
  }

  /// Reads a payment because a webhook came, with a read that begins after it; a read that is
  /// under way may have been answered before what the webhook tells of.
  ///
  /// - Parameter candidate: a provider's id that the webhook named and that no row knows. If the
  ///   answer to it carries the payment's own reference, the id is adopted.
  func refresh(
    _ payment: PaymentRow, candidate: ProviderPaymentID?, because channel: Channel = .webhook
  ) async -> ReadOutcome {
    guard let lane = lane(of: payment) else { return .notRead }
    note(payment.id, channel, candidate)
    let outcome = await lane.value(for: payment.id, begunAfterNow: true)
    await forget(payment.id, in: lane)
    return outcome ?? .notRead
  }

  /// - Parameter isPaid: the read is taken from the account's budget already.
  func start(
    _ id: PaymentID, in lane: Lane, because channel: Channel, isPaid: Bool = false
  ) async {
    if !reading.contains(id) { note(id, channel) }
    if isPaid { paidReads.insert(id) }
    if await !lane.start(id) { await forget(id, in: lane) }
  }

  /// Drops what a read is for if there will be none: no room, stopped, or just ended.
  private func forget(_ id: PaymentID, in lane: Lane) async {
    guard asks[id] != nil, await !lane.isPending(id) else { return }
    asks[id] = nil
    paidReads.remove(id)
  }

  /// Reads that are asked for and have not begun.
  package var askCount: Int { asks.count }

  /// The calls of the payment's account; nil if it is not configured here.
  func lane(of payment: PaymentRow) -> Lane? {
    guard let index = providers.index(of: payment.provider, payment.account) else {
      environment.log(
        .error, "no account is configured for a payment", ("payment_id", payment.id.rawValue),
        ("account", payment.account.rawValue))
      return nil
    }
    return readLanes()[index]
  }

  private func lane(of id: PaymentID) async -> Lane? {
    do {
      guard let payment = try await store.read({ try $0.payment(id) }) else { return nil }
      return lane(of: payment)
    } catch {
      environment.log(
        .warning, "a payment could not be looked up", ("payment_id", id.rawValue),
        ("error", "\(error)"))
      return nil
    }
  }

  private func note(_ id: PaymentID, _ channel: Channel, _ candidate: ProviderPaymentID? = nil) {
    var ask = asks[id] ?? Ask(channel: channel)
    if let candidate, !ask.candidates.contains(candidate),
      ask.candidates.count < Ask.candidatesMax
    {
      ask.candidates.append(candidate)
    }
    asks[id] = ask
  }

  private func readLanes() -> [Lane] {
    if lanes.isEmpty {
      lanes = providers.map { provider in
        let account = AccountKey(provider.name, provider.account)
        return Lane(concurrencyMax: settings.readsMax, queueMax: settings.readQueueMax) {
          [weak self] in await self?.readWithGap($0, of: account) ?? .notRead
        }
      }
    }
    return lanes
  }

  /// Waits until the gap since the payment's last read has passed, then reads.
  private func readWithGap(_ id: PaymentID, of account: AccountKey) async -> ReadOutcome {
    let isPaid = paidReads.remove(id) != nil
    // The provider wants no calls now: what is stored is the answer.
    if let slowdown = slowdowns[account], slowdown.isThrottled,
      slowdown.until > environment.clock.uptime()
    {
      asks[id] = nil
      return .notRead
    }
    do {
      try await awaitGap(id)
    } catch {
      asks[id] = nil
      return .notRead
    }
    guard isPaid || takeRead(.asked, of: account) else {
      asks[id] = nil
      tellNoRoom(account)
      return .notRead
    }
    let ask = asks.removeValue(forKey: id) ?? Ask(channel: .poll)
    reading.insert(id)
    let outcome = await read(id, ask)
    reading.remove(id)
    return outcome
  }

  /// Returns once the gap since the payment's last read has passed, and notes that one begins.
  func awaitGap(_ id: PaymentID) async throws {
    if let last = lastReads[id] {
      try await environment.clock.sleep(
        for: last + settings.readGap - environment.clock.uptime())
    }
    let uptime = environment.clock.uptime()
    lastReads[id] = uptime
    if lastReads.count > settings.readQueueMax {
      lastReads = lastReads.filter { uptime - $0.value < settings.readGap }
    }
  }
}

/// What became of a read.
public enum ReadOutcome: Hashable, Sendable {
  /// The store holds what the provider said just now.
  case fresh
  /// The provider could not be asked or gave no usable answer; nothing was changed.
  case notRead
  /// The payment has nothing at the provider that could be read yet.
  case nothingToRead
}
