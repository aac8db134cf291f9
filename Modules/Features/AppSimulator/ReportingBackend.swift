import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import StrictJSON

/// A merchant's server that tells what was asked and answered, and stops where a script wants the
/// process killed.
struct ReportingBackend: MerchantBackend {
  let inner: any MerchantBackend
  let report: AppReport
  let reached: @Sendable (CrashPoint) async -> Void

  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    let answer: PaymentAnswer
    do {
      answer = try await inner.createCheckout(request, key: key)
    } catch {
      tell("create_failed", error)
      throw error
    }
    report.line("created", answer, of: key)
    await reached(.createdNotStored)
    return answer
  }

  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    do {
      let answer = try await inner.readPayment(id, wait: wait, knownVersion: knownVersion)
      if let answer { report.line("read", answer) }
      return answer
    } catch {
      tell("read_failed", error)
      throw error
    }
  }

  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError) {
    report.line(
      "signal",
      [
        JSONMember(name: "payment_id", value: .string(id.rawValue)),
        JSONMember(name: "signal", value: .string(word(signal))),
      ])
    do {
      try await inner.sendSignal(signal, for: id)
    } catch {
      tell("signal_failed", error)
      throw error
    }
  }

  private func tell(_ event: String, _ error: BackendError) {
    // A request that ended with its run is no news.
    guard !Task.isCancelled else { return }
    report.line(event, [JSONMember(name: "reason", value: .string(error.reason))])
  }

  private func word(_ signal: CheckoutSignal) -> String {
    switch signal {
    case .opened: "opened"
    case .returned(let kind): "returned_\(kind.rawValue)"
    case .closed: "closed"
    case .wentOutside: "went_outside"
    case .pageFinal: "page_final"
    case .foregrounded: "foreground"
    case .relaunched: "relaunched"
    }
  }
}
