import KitEnvironment

/// Lets time pass in one sandbox and sends its webhooks, until the task is cancelled.
struct SandboxLoop: Sendable {
  /// What is to be done next.
  struct Step {
    /// Webhooks to send now.
    let due: [WebhookDelivery]
    /// Until the next thing happens by itself; nil if nothing will.
    let wait: Duration?
    /// Yields when something new is to be done earlier.
    let pokes: AsyncStream<Void>
  }

  let clock: KitClock
  let nextStep: @Sendable () async -> Step
  let deliver: @Sendable (WebhookDelivery) async -> Void

  func run() async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let step = await nextStep()
        for delivery in step.due {
          group.addTask { await deliver(delivery) }
        }
        await pause(step)
      }
    }
  }

  /// Returns when the next thing is due or something new was put in the queue.
  private func pause(_ step: Step) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in step.pokes { break }
      }
      if let wait = step.wait {
        group.addTask { [clock] in try? await clock.sleep(for: wait) }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
