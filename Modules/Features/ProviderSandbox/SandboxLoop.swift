import HTTPExchange
import KitEnvironment

extension SandboxLedger {
  /// Answers one request of a merchant's server, of a payer's browser or of the control API.
  nonisolated func respond(to request: HTTPRequest) async -> HTTPResponse {
    let reply = await reply(to: request)
    if reply.delay > .zero {
      // Cancelled means that the peer has left; what it asked for is done all the same.
      try? await environment.clock.sleep(for: reply.delay)
    }
    return reply.response
  }

  /// Delivers webhooks and lets time pass until the task is cancelled. Call it once.
  nonisolated func run(over transport: any HTTPTransport) async {
    await SandboxLoop(
      clock: environment.clock, nextStep: { await self.nextStep() },
      deliver: { await self.deliver($0, over: transport) }
    ).run()
  }

  private nonisolated func deliver(
    _ delivery: WebhookDelivery, over transport: any HTTPTransport
  ) async {
    await finish(delivery, status: await delivery.answer(over: transport)?.status)
  }
}

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
