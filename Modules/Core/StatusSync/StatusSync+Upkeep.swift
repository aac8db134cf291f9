import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface

/// What keeps the inbox within its bounds, whatever comes.
extension StatusSync {
  func runUpkeep() async {
    while !Task.isCancelled {
      await tidyInbox()
      do {
        try await environment.clock.sleep(for: settings.upkeepWait)
      } catch {
        return
      }
    }
  }

  /// Erases bytes that may name the buyer, which go for good once nobody needs them to find a
  /// fault, and removes rows beyond their bounds.
  private func tidyInbox() async {
    let now = environment.clock.now()
    let (settings, names) = (settings, Set(providers.map(\.name)).sorted())
    var erased = 0
    do {
      while !Task.isCancelled {
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
