import HTTPExchange
import MerchantCommands
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import TestSupport
import Testing

@testable import Bootstrap

@Suite("till doctor --live, by what was seen of an account")
struct LiveEvidenceTests {
  private static let catalogue: JSONValue = .object([
    "products": .array([
      .object(["id": "tee", "title": "Cotton T-shirt", "price": "85.00", "currency": "AED"])
    ])
  ])

  private func checkup(
    _ account: FakeProvider, _ evidence: LiveEvidence.OfAccount = LiveEvidence.OfAccount()
  ) throws -> AccountCheckup {
    AccountCheckup(
      account: account, evidence: evidence,
      path: PublicPath(base: nil, transport: ClosureTransport { _ in HTTPResponse(status: 404) }),
      catalogue: try FileCatalogue(json: Self.catalogue), madeUpID: "none")
  }

  @Test(arguments: [
    (PaymentMode.test, PaymentMode?.none, AccountCheckup.ModeProof.key, LiveCheck.Answer.no),
    (.test, .live, .key, .no), (.live, .test, .key, .no), (.live, .test, .nothing, .no),
    (.live, .live, .nothing, .yes), (.live, nil, .key, .yes),
    (.live, nil, .nothing, .youSay),
  ])
  func `account, key and settings agree on the mode, or it is told`(
    _ mode: PaymentMode, _ seen: PaymentMode?, _ proof: AccountCheckup.ModeProof,
    _ answer: LiveCheck.Answer
  ) throws {
    let checkup = try checkup(FakeProvider(mode: mode))
    #expect(checkup.mode(seen, knownBy: proof).answer == answer)
  }

  @Test(arguments: [
    (ProviderError(.unauthorized, status: 401, detail: "x"), false, LiveCheck.Answer.no),
    (ProviderError(.notFound, status: 404, code: "no_payment", detail: "x"), false, .yes),
    (ProviderError(.notFound, status: 404, detail: "x"), false, .cannotTell),
    (ProviderError(.notFound, status: 404, code: "no_payment", detail: "x"), true, .no),
    (ProviderError(.unknown, status: 502, detail: "x"), true, .cannotTell),
    (ProviderError(.notSent, detail: "x"), false, .cannotTell),
  ])
  func `a key is judged by how a read ends`(
    _ error: ProviderError, _ isOfOurs: Bool, _ answer: LiveCheck.Answer
  ) async throws {
    let account = FakeProvider()
    account.always(.read, .fail(error))
    var evidence = LiveEvidence.OfAccount()
    if isOfOurs { evidence.payment = ProviderPaymentID("p-1") }
    #expect(try await checkup(account, evidence).keyByRead().check.answer == answer)
  }

  @Test func `payments and refunds that were seen are proof`() throws {
    var evidence = LiveEvidence.OfAccount()
    #expect(try checkup(FakeProvider(), evidence).payment().answer == .cannotTell)
    #expect(try checkup(FakeProvider(), evidence).refund().answer == .cannotTell)
    evidence.paidOtherwise = true
    #expect(try checkup(FakeProvider(), evidence).payment().answer == .no)
    evidence.paidAt = Instant(milliseconds: 1)
    evidence.wentBack = true
    evidence.deliveredAt = Instant(milliseconds: 1)
    let checkup = try checkup(FakeProvider(), evidence)
    #expect(checkup.payment().answer == .yes)
    #expect(checkup.refund().answer == .yes)
    #expect(checkup.delivery(advice: "x").answer == .yes)
  }

  /// What the store holds, and what that proves of the account `demo` at Tabby.
  private func found(
    _ write: @escaping @Sendable (any PaymentTransaction) throws -> Void
  ) async throws -> [String: LiveCheck] {
    var world = LiveWorld()
    world.prepare = { _, _, store in
      try await store.write { transaction in
        try transaction.insertOrder(Sample.order())
        try write(transaction)
      }
    }
    return try await world.found()
  }

  @Test func `the store is looked through for the account's own payments`() async throws {
    for (account, paid, wanted) in [
      ("demo", Int64(15_000), LiveCheck.Answer.yes), ("demo", 14_999, .no),
      ("other", 15_000, .cannotTell),
    ] {
      let found = try await found { transaction in
        var payment = Sample.payment()
        (payment.account, payment.status) = (ProviderAccount(account), .captured)
        payment.schedule = ReadSchedule(nextReadAt: nil)
        payment.schedule.lastProofAt = Instant(milliseconds: 5)
        try transaction.insertPayment(payment)
        for (kind, amount) in [(PaymentItem.Kind.capture, paid), (.refund, 1)] {
          try transaction.putItem(
            PaymentItem(
              kind: kind, providerItemID: kind.rawValue, reference: nil,
              amount: Money(minorUnits: amount, currency: payment.amount.currency), createdAt: nil),
            of: payment.id, learnedAt: Instant(milliseconds: 5))
        }
      }
      #expect(found["tabby demo: payment"]?.answer == wanted)
      #expect(found["tabby demo: refund"]?.answer == (account == "demo" ? .yes : .cannotTell))
    }
  }

  @Test(arguments: [
    (ProviderName.tebex, Int?.some(0), WebhookRow.State.processed, LiveCheck.Answer.yes),
    (.tebex, 0, .rejected, .cannotTell), (.tabby, 0, .received, .yes),
    (.seb, nil, .unmatched, .cannotTell), (.seb, nil, .processed, .yes),
  ])
  func `a delivery that fits is proof of the way that it came`(
    _ provider: ProviderName, _ secret: Int?, _ state: WebhookRow.State,
    _ answer: LiveCheck.Answer
  ) async throws {
    let found = try await found { transaction in
      var row = Sample.webhook()
      (row.provider, row.account, row.state) = (provider, ProviderAccount("demo"), state)
      (row.matchedSecret, row.isUnsigned, row.nextTryAt) = (secret, secret == nil, nil)
      try transaction.insertWebhook(row)
    }
    let item = provider == .tebex ? "validated" : "delivery"
    #expect(found["\(provider) demo: \(item)"]?.answer == answer)
  }
}
