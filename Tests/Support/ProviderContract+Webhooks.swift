import HTTPExchange
import PaymentModels
import ProviderInterface

extension ProviderContract {
  static let webhooks: [Case] = [
    Case("a delivery is known and leads to the payment", needs: [.payer, .webhooks]) {
      bench, found in
      let (created, delivery) = try await delivered(bench)
      guard case .notice(let notice) = bench.provider.inspectWebhook(delivery) else {
        found.expect(false, "\(bench.provider.inspectWebhook(delivery))")
        return
      }
      let reference = try bench.terms(1).paymentID.rawValue
      found.expect(
        notice.providerPaymentID == created.id
          || notice.providerPaymentID == nil && notice.paymentReference == reference,
        "it leads elsewhere: \(notice)")
      found.expect([nil, reference].contains(notice.paymentReference), "another's reference")
      let isSecret = bench.provider.capabilities.webhook != .unsigned
      found.equal(notice.matchedSecret, isSecret ? 0 : nil, "the secret")
      found.expect(
        !notice.isProof || bench.provider.capabilities.webhook == .signed, "unsigned proof")
      found.expect(
        !notice.isProof
          || bench.provider.capabilities.paidProofs
            .union(bench.provider.capabilities.undoneProofs).contains(.signedWebhook),
        "a proof that its capabilities do not name")
      if notice.isProof {
        let proof = bench.provider.webhookProof(delivery.body, of: created.id)
        found.equal(proof?.reading.providerPaymentID, created.id, "the proof's payment")
        found.expect(proof?.reading.status.holdsMoney == true, "the proof's status")
      }
    },
    Case(
      "a delivery that was changed, or has no mark of the provider, is not known",
      needs: [.payer, .webhooks]
    ) { bench, found in
      let (_, delivery) = try await delivered(bench)
      var bare = delivery
      bare.headers = ["Content-Type": "application/json"]
      switch bench.provider.capabilities.webhook {
      case .signed:
        for position in [0, delivery.body.count / 2, delivery.body.count - 1] {
          var changed = delivery
          changed.body[position] ^= 1
          found.expect(isUnauthentic(changed, bench), "byte \(position) was changed unseen")
        }
        var longer = delivery
        longer.body.append(0x0A)
        found.expect(isUnauthentic(longer, bench), "a byte was added unseen")
        found.expect(isUnauthentic(bare, bench), "no signature is needed")
      case .staticHeader:
        found.expect(isUnauthentic(bare, bench), "no header is needed")
      case .unsigned:
        if case .notice(let notice) = bench.provider.inspectWebhook(bare) {
          found.expect(!notice.isProof, "anybody's delivery is proof")
        }
      }
    },
    Case("a delivery's body alone says nothing that is no payment's", needs: [.payer, .webhooks]) {
      bench, found in
      var (_, delivery) = try await delivered(bench)
      for body in ["", "{", "null", "[]", "7", "{}"] {
        delivery.body = Array(body.utf8)
        if case .notice(let notice) = bench.provider.inspectWebhook(delivery) {
          found.expect(false, "“\(body)” is \(notice)")
        }
      }
    },
  ]

  /// Pays a payment, and gives the last delivery about it.
  private static func delivered(
    _ bench: ProviderBench
  ) async throws -> (CreatedPayment, HTTPRequest) {
    let created = try await bench.create()
    guard let payer = bench.payer, let page = created.checkoutURL, let next = bench.nextDelivery
    else { throw FixtureError() }
    try await payer.pay(page)
    return (created, try await next())
  }

  private static func isUnauthentic(_ request: HTTPRequest, _ bench: ProviderBench) -> Bool {
    if case .unauthentic = bench.provider.inspectWebhook(request) { true } else { false }
  }
}
