public import KitEnvironment
public import PaymentModels
public import PaymentStore
public import ProviderInterface

/// Keeps payments as their providers have them: reads when asked, when due and when a webhook
/// says that something happened.
///
/// A read is the only thing here that changes money state. Reads of one payment share one call;
/// they run under ``run()``, so that a caller that leaves takes nothing away from the others.
public actor StatusSync {
  let store: any PaymentStore
  let providers: [any PaymentProvider]
  let settings: SyncSettings
  let environment: KitEnvironment
  /// Rung when a delivery was stored; holds one ring, since one look finds them all.
  let inboxBell = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private var reads: SharedWork<PaymentID, ReadOutcome>?
  /// Why the next read of a payment happens, for the journal.
  private var reasons: [PaymentID: Channel] = [:]
  /// When the last read of a payment began; pruned once older than the gap.
  private var lastReads: [PaymentID: Duration] = [:]
  /// Provider ids that a webhook named and that no row knows yet, to be read along.
  private var candidates: [PaymentID: ProviderPaymentID] = [:]

  /// Composes a sync over a store and the accounts whose payments it reads.
  public init(
    store: any PaymentStore, providers: [any PaymentProvider], settings: SyncSettings,
    environment: KitEnvironment
  ) {
    self.store = store
    self.providers = providers
    self.settings = settings
    self.environment = environment
  }

  /// Works until the task is cancelled: shared reads, the schedule and the webhook inbox.
  ///
  /// - Parameter resumeCreate: takes up a create whose outcome is not known; called when such a
  ///   payment is due.
  public func run(
    resumeCreate: @escaping @Sendable (PaymentID) async -> Void
  ) async {
    let reads = sharedReads()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await reads.run() }
      group.addTask { await self.runSchedule(resumeCreate) }
      group.addTask { await self.runInbox() }
    }
  }

  /// Reads a payment at its provider, or joins the read that is under way.
  ///
  /// - Parameter channel: who caused it, for the journal.
  /// - Returns: whether the store now holds what the provider says. ``ReadOutcome/notRead`` also
  ///   if the caller was cancelled or the sync does not run.
  public func refresh(_ id: PaymentID, because channel: Channel) async -> ReadOutcome {
    reasons[id] = reasons[id] ?? channel
    return await sharedReads().value(for: id) ?? .notRead
  }

  /// Has a payment read soon and does not wait: what a hint may cause.
  public func startRefresh(_ id: PaymentID) async {
    reasons[id] = reasons[id] ?? .device
    await sharedReads().start(id)
  }

  /// Reads a payment, and along with it a provider's id that a webhook named. If the answer to
  /// that id carries the payment's own reference, the id is adopted.
  func refresh(_ id: PaymentID, candidate: ProviderPaymentID) async -> ReadOutcome {
    candidates[id] = candidate
    return await refresh(id, because: .webhook)
  }

  private func sharedReads() -> SharedWork<PaymentID, ReadOutcome> {
    if let reads { return reads }
    let made = SharedWork<PaymentID, ReadOutcome>(
      concurrencyMax: settings.readsMax, queueMax: settings.readQueueMax
    ) { [weak self] id in
      await self?.readWithGap(id) ?? .notRead
    }
    reads = made
    return made
  }

  /// Waits until the gap since the payment's last read has passed, then reads.
  private func readWithGap(_ id: PaymentID) async -> ReadOutcome {
    if let last = lastReads[id] {
      let wait = last + settings.readGap - environment.clock.uptime()
      do {
        try await environment.clock.sleep(for: wait)
      } catch {
        return .notRead
      }
    }
    let uptime = environment.clock.uptime()
    lastReads[id] = uptime
    if lastReads.count > settings.readQueueMax {
      lastReads = lastReads.filter { uptime - $0.value < settings.readGap }
    }
    let channel = reasons.removeValue(forKey: id) ?? .poll
    let candidate = candidates.removeValue(forKey: id)
    return await read(id, channel: channel, candidate: candidate)
  }

  /// Takes every due payment once per tick, most overdue first.
  private func runSchedule(
    _ resumeCreate: @escaping @Sendable (PaymentID) async -> Void
  ) async {
    while !Task.isCancelled {
      await takeDue(resumeCreate)
      do {
        try await environment.clock.sleep(for: settings.tick)
      } catch {
        return
      }
    }
  }

  private func takeDue(
    _ resumeCreate: @escaping @Sendable (PaymentID) async -> Void
  ) async {
    let now = environment.clock.now()
    let limit = settings.batchMax
    let due: [PaymentRow]
    do {
      due = try await store.read { try $0.paymentsDue(at: now, limit: limit) }
    } catch {
      environment.log(.warning, "due payments could not be listed", ("error", "\(error)"))
      return
    }
    await withTaskGroup(of: Void.self) { group in
      for payment in due {
        if payment.createState == .intent {
          group.addTask { await resumeCreate(payment.id) }
        } else {
          group.addTask { _ = await self.refresh(payment.id, because: .poll) }
        }
      }
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
