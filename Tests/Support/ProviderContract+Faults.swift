import PaymentModels
import ProviderInterface

extension ProviderContract {
  /// A spoilt answer is an error that says what to do, and never a state.
  static let faults: [Case] =
    AnswerSpoiler.Fault.allCases.map { fault in
      Case("a read that meets \(fault.rawValue) is an error and no state", needs: [.spoiler]) {
        bench, found in
        let created = try await bench.create()
        bench.spoiler?.spoilNext(fault)
        let error = await failure { try await bench.provider.read(created.id) }
        expect(error, of: fault, &found)
        found.expect(
          !(try await bench.provider.read(created.id)).status.isFinalForPayer,
          "the payment is final")
      }
    }
    + AnswerSpoiler.Fault.allCases.map { fault in
      Case(
        "a create that meets \(fault.rawValue) is an error that can be repeated",
        needs: [.spoiler]
      ) { bench, found in
        // The first brings an access token, where one is needed.
        let first = try await bench.create(1)
        let bytes = try bench.provider.prepareCreate(try bench.terms(2))
        bench.spoiler?.spoilNext(fault)
        let error = await failure {
          try await bench.provider.create(bytes, idempotencyKey: bench.key(2))
        }
        expect(error, of: fault, &found)
        let second = try await bench.provider.create(bytes, idempotencyKey: bench.key(2))
        found.expect(second.id != first.id && second.checkoutURL != nil, "the repeat")
        found.equal(
          second.reading.paymentReference, try bench.terms(2).paymentID.rawValue, "our reference")
      }
    }

  private static func expect(
    _ error: ProviderError?, of fault: AnswerSpoiler.Fault, _ found: inout Violations
  ) {
    let right: (kind: ProviderError.Kind, status: Int?) =
      switch fault {
      case .html502, .lost: (.unknown, 502)
      case .cut: (.unknown, nil)
      case .slow: (.unknown, nil)
      case .throttled: (.throttled, 429)
      case .unauthorized: (.unauthorized, 401)
      case .unreachable: (.notSent, nil)
      }
    found.equal(error?.kind, right.kind, "the kind")
    // Which success it was that broke off is the provider's business.
    if fault != .cut { found.equal(error?.status, right.status, "the status") }
    found.equal(error?.retryAfter, fault == .throttled ? .seconds(7) : nil, "the wait")
  }
}
