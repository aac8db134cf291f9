import KitEnvironment
import PaymentModels
import PaymentStore

extension StatusSync {
  /// Takes what is due once per tick, most overdue first.
  func runSchedule(_ resumeCreate: @escaping @Sendable (PaymentID) async -> Void) async {
    while !Task.isCancelled {
      environment.beat(.schedule)
      await followClock()
      await takeDue(resumeCreate)
      do {
        try await environment.clock.sleep(for: settings.tick)
      } catch {
        return
      }
    }
  }

  /// Brings forward what is pending when the clock was set back, and at the start, when nobody
  /// knows what it did before.
  ///
  /// Not nearer than a lease lasts, so that none is cut short that another process holds now.
  private func followClock() async {
    let now = environment.clock.now()
    let lead = now.since(Instant(milliseconds: 0)) - environment.clock.uptime()
    if let known = clockLead, lead >= known - Self.clockStepMin {
      clockLead = lead
      return
    }
    let limit = now + settings.lease
    do {
      try await store.write { try $0.bringForward(to: limit) }
      clockLead = lead
    } catch {
      environment.log(.warning, "what is pending is not brought forward", ("error", "\(error)"))
    }
  }

  /// A clock that loses less than this in a tick is being adjusted, not set back.
  private static let clockStepMin: Duration = .seconds(1)

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
