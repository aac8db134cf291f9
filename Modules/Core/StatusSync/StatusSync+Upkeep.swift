import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

/// What keeps the inbox within its bounds, whatever comes.
extension StatusSync {
  func runUpkeep() async {
    var due = environment.clock.uptime()
    while !Task.isCancelled {
      environment.beat(.upkeep)
      if environment.clock.uptime() >= due {
        await parkStrangers()
        await tidyInbox()
        due = environment.clock.uptime() + settings.upkeepWait
      }
      do {
        try await environment.clock.sleep(for: min(settings.upkeepWait, Self.beatWait))
      } catch {
        return
      }
    }
  }

  /// Whoever looks for workers that stand still gives them a minute.
  private static let beatWait: Duration = .seconds(20)

  /// Parks deliveries of accounts that are not configured here: nobody works on them, and a person
  /// is to know. Once the account is back they can be put into the queue again.
  ///
  /// Only those that were due for long, since another server on this store may know the account.
  func parkStrangers() async {
    let known = Set(providers.map { AccountKey($0.name, $0.account) })
    let due = environment.clock.now() - Self.strangerWait
    do {
      let parked = try await store.write { transaction in
        let strangers = try transaction.webhooksDue(at: due, limit: Self.removalsMax).filter {
          !known.contains(AccountKey($0.provider, $0.account))
        }
        for var webhook in strangers {
          webhook.state = .parked
          webhook.nextTryAt = nil
          webhook.detail = "its account is not configured here"
          try transaction.updateWebhook(webhook)
        }
        return strangers.count
      }
      guard parked > 0 else { return }
      environment.log(
        .error, "webhooks of accounts that are not configured were parked", ("count", "\(parked)"))
    } catch {
      environment.log(
        .warning, "webhooks of other accounts were not looked at", ("error", "\(error)"))
    }
  }

  static let strangerWait: Duration = .seconds(3_600)

  /// Erases bytes that may name the buyer, which go for good once nobody needs them to find a
  /// fault, and removes rows beyond their bounds.
  func tidyInbox() async {
    let now = environment.clock.now()
    let (settings, names) = (settings, Set(providers.map(\.name)).sorted())
    var erased = 0
    do {
      while !Task.isCancelled {
        environment.beat(.upkeep)
        let step = try await store.write { transaction in
          let erased = try transaction.eraseWebhookBodies(
            receivedBefore: now - settings.bodyLife, limit: Self.removalsMax, at: now)
          let removed = try Self.removeRows(settings, names, now, transaction)
          return (erased: erased, isFull: max(erased, removed) == Self.removalsMax)
        }
        erased += step.erased
        guard step.isFull else { break }
      }
      guard erased > 0 else { return }
      try await store.checkpoint()
      environment.log(.info, "bodies of old webhooks were erased", ("count", "\(erased)"))
    } catch {
      environment.log(.warning, "the inbox was not tidied", ("error", "\(error)"))
    }
  }

  /// Removes rows beyond their bounds, so many of each kind. Returns the most of one kind.
  private static func removeRows(
    _ settings: SyncSettings, _ names: [ProviderName], _ now: Instant,
    _ transaction: any PaymentTransaction
  ) throws -> Int {
    var most = try transaction.removeUnsignedWebhooks(
      receivedBefore: now - settings.unknownLife, limit: removalsMax)
    let bounds: [(WebhookRow.State, Int)] = [
      (.processed, settings.doneMax), (.rejected, settings.rejectedMax),
      (.parked, settings.parkedMax),
    ]
    for name in names {
      for (state, newest) in bounds {
        let count = try transaction.removeWebhooks(
          name, in: state, keeping: newest, limit: removalsMax)
        most = max(most, count)
      }
    }
    return most
  }
}
