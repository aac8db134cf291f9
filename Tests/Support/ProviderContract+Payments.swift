import PaymentModels
import ProviderInterface
import StrictJSON

extension ProviderContract {
  static let creates: [Case] = [
    Case("a create gives a page and an id, and a read says the same") { bench, found in
      let terms = try bench.terms(1)
      let created = try await bench.create()
      found.expect(created.checkoutURL?.isEmpty == false, "there is no page")
      found.expect(!created.reading.status.isFinalForPayer, "it is final already")
      found.equal(created.reading.amount, terms.total, "the amount of the answer")
      for reading in [created.reading, try await bench.provider.read(created.id)] {
        found.equal(reading.providerPaymentID, created.id, "the id")
        // Where others may still change what is to be paid, nothing is said of it yet.
        found.expect([terms.total, nil].contains(reading.amount), "another amount")
        found.equal(reading.paymentReference, terms.paymentID.rawValue, "our reference")
        found.equal(reading.items, [], "movements of money")
        found.expect(!reading.status.isFinalForPayer, "\(reading.status) before anybody paid")
      }
    },
    Case("the page's address is kept byte for byte", needs: [.spoiler]) { bench, found in
      guard let spoiler = bench.spoiler else { throw FixtureError() }
      let path = bench.words.page
      let odd = "l=%66r&Z=%2f+%20&&x"
      let created = try await spoiler.rewriting({ json in
        json.editing(path) { page in
          page.text.map { .string($0 + ($0.contains("?") ? "&" : "?") + odd) }
        }
      }) { try await bench.create() }
      let answer = try JSONValue(parsing: spoiler.lastAnswer)
      found.equal(created.checkoutURL, answer.find(path)?.text, "the page")
      found.expect(created.checkoutURL?.hasSuffix(odd) == true, "the odd end is gone")
    },
    Case("a repeat of a create finds the payment, or makes another where there is no key") {
      bench, found in
      let bytes = try bench.provider.prepareCreate(try bench.terms(1))
      let first = try await bench.provider.create(bytes, idempotencyKey: bench.key(1))
      let second = try await bench.provider.create(bytes, idempotencyKey: bench.key(1))
      let hasKey = bench.provider.capabilities.createHasIdempotencyKey
      found.expect((first.id == second.id) == hasKey, "ids \(first.id), \(second.id)")
      if hasKey { found.equal(second, first, "the repeat") }
      found.expect(
        !(try await bench.provider.read(first.id)).status.isFinalForPayer,
        "the repeat ended the first")
      let other = try await bench.create(2)
      found.expect(![first.id, second.id].contains(other.id), "another order got the same payment")
    },
    Case("the same key with other terms is refused, and changes nothing") { bench, found in
      guard bench.provider.capabilities.createHasIdempotencyKey else { return }
      let first = try await bench.create(1)
      let other = try bench.provider.prepareCreate(try bench.terms(2))
      let error = await failure {
        try await bench.provider.create(other, idempotencyKey: bench.key(1))
      }
      found.equal(error?.kind, .refused, "the conflict")
      found.equal(try await bench.provider.read(first.id), first.reading, "the payment")
    },
    Case("terms that cannot be said are refused before anything is sent") { bench, found in
      let terms = try bench.terms(1)
      var (nothing, strange, wrongSum) = (terms, terms, terms)
      nothing.total = .zero(terms.total.currency)
      nothing.lines = []
      strange.total = try isoMoney("1", "ISK")
      strange.lines[0].unitPrice = strange.total
      wrongSum.total = Money(
        minorUnits: terms.total.minorUnits + 1, currency: terms.total.currency)
      for (name, terms) in [("0", nothing), ("another currency", strange), ("sum", wrongSum)] {
        let error = await failure { try bench.provider.prepareCreate(terms) }
        found.equal(error?.kind, .refused, name)
      }
      found.equal(bench.sentCount(), 0, "requests")
    },
    Case("a payment that nobody made is not found, and no id leads elsewhere") { bench, found in
      let unknown = await failure { try await bench.provider.read(bench.stranger) }
      found.equal(unknown?.kind, .notFound, "a stranger")
      let sent = bench.sentCount()
      for id in ["", "../x", "a/b", "a?b", "a b"] {
        let error = await failure { try await bench.provider.read(ProviderPaymentID(id)) }
        found.equal(error?.kind, .refused, "“\(id)”")
      }
      found.equal(bench.sentCount(), sent, "requests")
    },
  ]

  static let payments: [Case] = [
    Case("a paid payment has its exact amount, our reference and its money", needs: [.payer]) {
      bench, found in
      let terms = try bench.terms(1)
      let reading = try await bench.paid()
      let isAutomatic = bench.provider.capabilities.capture == .automatic
      found.equal(reading.status, isAutomatic ? .captured : .authorized, "the status")
      found.equal(reading.amount, terms.total, "the amount")
      found.equal(reading.paymentReference, terms.paymentID.rawValue, "our reference")
      found.equal(
        reading.items.map(\.amount), isAutomatic ? [terms.total] : [], "movements of money")
      found.expect(reading.items.allSatisfy { $0.kind == .capture }, "one is no capture")
      found.expect(
        reading.items.allSatisfy { !$0.providerItemID.isEmpty }, "a movement without an id")
      found.expect(reading.mode != .live, "it says that real money moved")
      found.equal(
        try await bench.provider.read(reading.providerPaymentID), reading, "a second read")
    },
    Case("a declined try is never final, and the same page pays", needs: [.payer]) {
      bench, found in
      let created = try await bench.create()
      guard let payer = bench.payer, let page = created.checkoutURL else { throw FixtureError() }
      try await payer.declined(page)
      let declined = try await bench.provider.read(created.id)
      found.expect(!declined.status.isFinalForPayer, "\(declined.status) after a decline")
      found.equal(declined.items, [], "movements of money after a decline")
      try await payer.pay(page)
      let paid = try await bench.provider.read(created.id)
      found.expect(paid.status.holdsMoney, "\(paid.status) after the second try")
    },
    Case("two payments are two payments", needs: [.payer]) { bench, found in
      let first = try await bench.create(1)
      let second = try await bench.paid(2)
      found.equal(
        second.paymentReference, try bench.terms(2).paymentID.rawValue, "the second's reference")
      found.equal(second.amount, try bench.terms(2).total, "the second's amount")
      found.expect(
        !(try await bench.provider.read(first.id)).status.isFinalForPayer,
        "the second's money is the first's")
    },
  ]
}

extension CreatedPayment {
  /// The provider's id.
  var id: ProviderPaymentID { reading.providerPaymentID }
}
