import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

extension StatusSync {
  /// Takes what is due once per tick, most overdue first.
  func runSchedule(_ resumeCreate: @escaping @Sendable (PaymentID) async -> Void) async {
    var pace = WorkerPace(tick: settings.tick)
    while !Task.isCancelled {
      environment.beat(.schedule)
      var isRefused = false
      do {
        try await followClock()
        try await takeDue(resumeCreate)
      } catch {
        isRefused = true
        environment.log(.warning, "due payments could not be taken", ("error", "\(error)"))
      }
      do {
        try await environment.clock.sleep(
          for: pace.wait(isRefused: isRefused, random: environment.random))
      } catch {
        return
      }
    }
  }

  /// Brings forward what is pending when the clock was set back, and at the start, when nobody
  /// knows what it did before.
  ///
  /// Not nearer than a lease lasts, so that none is cut short that another process holds now.
  private func followClock() async throws {
    let now = environment.clock.now()
    let lead = now.since(Instant(milliseconds: 0)) - environment.clock.uptime()
    if let known = clockLead, lead >= known - Self.clockStepMin {
      clockLead = lead
      return
    }
    let limit = now + max(settings.lease, settings.leaseLongest)
    try await store.write { try $0.bringForward(to: limit) }
    clockLead = lead
  }

  /// A clock that loses less than this in a tick is being adjusted, not set back.
  private static let clockStepMin: Duration = .seconds(1)

  /// Hands due payments over and waits for none of them.
  ///
  /// Of each account its share, so that one with very many, or whose provider is out, keeps no
  /// other waiting.
  private func takeDue(_ resumeCreate: @Sendable (PaymentID) async -> Void) async throws {
    let now = environment.clock.now()
    let shares = shares()
    ticks += 1
    // Most ticks find nothing: no write for those.
    let wanted = try await store.read { transaction in
      try shares.filter {
        try !transaction.paymentsDue(of: $0.account, at: now, limit: 1).isEmpty
      }
    }
    for share in wanted { try await takeDue(share, at: now, resumeCreate) }
    if ticks % Self.strangerTicks == 0 {
      let known = Set(providers.map { AccountKey($0.name, $0.account) })
      let limit = settings.batchMax
      let strangers = try await take(at: now) { transaction in
        try transaction.paymentsDue(at: now, limit: limit).filter {
          !known.contains(AccountKey($0.provider, $0.account))
        }
      }
      for payment in strangers { await hand(over: payment, for: .live, resumeCreate) }
    }
  }

  /// Takes due payments of one account within its budget: first those whose end is not known.
  private func takeDue(
    _ share: (account: AccountKey, limit: Int), at now: Instant,
    _ resumeCreate: @Sendable (PaymentID) async -> Void
  ) async throws {
    var left = share.limit
    for use in [ReadBudget.Use.live, .slow] where left > 0 {
      let room = min(left, readRoom(use, of: share.account))
      guard room > 0 else {
        tellNoRoom(share.account)
        continue
      }
      let due = try await take(at: now) { transaction in
        try transaction.paymentsDue(
          of: share.account, isLive: use == .live, at: now, limit: room)
      }
      left -= due.count
      for payment in due { await hand(over: payment, for: use, resumeCreate) }
    }
  }

  /// So many ticks, a minute, between looks for payments of accounts that are not configured: a
  /// create of one ends after its time, and the rest is told in the log.
  private static let strangerTicks = 120

  /// How many payments of each account may be taken now. Where the provider does not answer, one:
  /// its read shows whether that is over.
  private func shares() -> [(account: AccountKey, limit: Int)] {
    let uptime = environment.clock.uptime()
    return providers.compactMap { provider in
      let account = AccountKey(provider.name, provider.account)
      guard let slowdown = slowdowns[account], slowdown.isOn else {
        return (account, settings.batchMax)
      }
      return slowdown.until > uptime ? nil : (account, 1)
    }
  }

  /// Takes due payments: each is put off by a lease in the same step, so that the next tick finds
  /// others, and other processes do too; after a kill it comes again when that time is over.
  private func take(
    at now: Instant,
    _ find: @escaping @Sendable (any PaymentTransaction) throws -> [PaymentRow]
  ) async throws -> [PaymentRow] {
    let lease = settings.lease
    return try await store.write { transaction in
      let due = try find(transaction)
      for payment in due {
        var schedule = payment.schedule
        schedule.nextReadAt = now + lease
        try transaction.schedulePayment(payment.id, schedule)
      }
      return due
    }
  }

  private func hand(
    over payment: PaymentRow, for use: ReadBudget.Use,
    _ resumeCreate: @Sendable (PaymentID) async -> Void
  ) async {
    if payment.createState == .intent {
      await resumeCreate(payment.id)
    } else if let lane = lane(of: payment) {
      // Whoever asked meanwhile has taken what there was: it comes again after its lease.
      guard takeRead(use, of: AccountKey(payment.provider, payment.account)) else { return }
      await start(payment.id, in: lane, because: .poll, isPaid: true)
    }
  }
}
