import KitEnvironment
import PaymentModels
import PaymentStore

extension StatusSync {
  /// Takes what is due once per tick, most overdue first.
  func runSchedule(_ resumeCreate: @escaping @Sendable (PaymentID) async -> Void) async {
    while !Task.isCancelled {
      await takeDue(resumeCreate)
      do {
        try await environment.clock.sleep(for: settings.tick)
      } catch {
        return
      }
    }
  }

  /// Hands due payments over and waits for none of them.
  ///
  /// Each is put off by a lease in the same step, so that the next tick finds others, and other
  /// processes do too; after a kill it comes again when that time is over.
  private func takeDue(_ resumeCreate: @Sendable (PaymentID) async -> Void) async {
    let now = environment.clock.now()
    let settings = settings
    let due: [PaymentRow]
    do {
      // Most ticks find nothing: no write for those.
      guard try await !store.read({ try $0.paymentsDue(at: now, limit: 1) }).isEmpty else { return }
      due = try await store.write { transaction in
        let due = try transaction.paymentsDue(at: now, limit: settings.batchMax)
        for payment in due {
          var schedule = payment.schedule
          schedule.nextReadAt = now + settings.lease
          try transaction.schedulePayment(payment.id, schedule)
        }
        return due
      }
    } catch {
      environment.log(.warning, "due payments could not be taken", ("error", "\(error)"))
      return
    }
    for payment in due {
      if payment.createState == .intent {
        await resumeCreate(payment.id)
      } else if let lane = lane(of: payment) {
        await start(payment.id, in: lane, because: .poll)
      }
    }
  }
}
