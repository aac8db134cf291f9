import PaymentModels
import ProviderInterface
import StrictJSON

extension ProviderContract {
  /// Answers as they will be one day.
  static let answers: [Case] = [
    Case("members that nobody knows change nothing", needs: [.spoiler, .payer]) { bench, found in
      guard let spoiler = bench.spoiler, let payer = bench.payer else { throw FixtureError() }
      let created = try await spoiler.rewriting({ $0.withUnknownMembers() }) {
        try await bench.create()
      }
      found.expect(created.checkoutURL != nil, "no page")
      try await payer.pay(created.checkoutURL ?? "")
      let plain = try await bench.provider.read(created.id)
      found.expect(plain.status.holdsMoney, "\(plain.status)")
      let odd = try await bench.read(created.id) { $0.withUnknownMembers() }
      found.equal(odd, plain, "the reading")
    },
    Case(
      "null is the same as absent, and no amount is ever zero for it", needs: [.spoiler, .payer]
    ) { bench, found in
      let id = try await bench.paid().providerPaymentID
      let plain = try await bench.provider.read(id)
      for path in bench.words.optional {
        let null = try await bench.read(id) { $0.editing(path) { _ in .null } }
        let absent = try await bench.read(id) { $0.editing(path) { _ in nil } }
        found.equal(null, absent, path)
        found.equal(absent.status, plain.status, "the status without \(path)")
        found.expect(absent.amount == nil || absent.amount == plain.amount, "\(path): an amount")
      }
      found.expect(!bench.words.optional.isEmpty, "no member is named")
    },
    Case("a state's word counts in any casing", needs: [.spoiler, .payer]) { bench, found in
      guard bench.words.hasStatusWord else { return }
      let path = bench.words.status
      let plain = try await bench.paid()
      for casing in [{ $0.lowercased() }, { $0.uppercased() }] as [@Sendable (String) -> String] {
        let reading = try await bench.read(plain.providerPaymentID) {
          $0.editing(path) { .optional($0.text.map(casing)) }
        }
        found.equal(reading, plain, "the reading")
      }
    },
    Case("a state's new word is kept as it is and decides nothing", needs: [.spoiler, .payer]) {
      bench, found in
      guard bench.words.hasStatusWord else { return }
      let path = bench.words.status
      let id = try await bench.paid().providerPaymentID
      let reading = try await bench.read(id) { $0.editing(path) { _ in "Brand_new" } }
      found.equal(reading.status, .unknown("Brand_new"), "the status")
    },
    Case("a state that is none is no answer", needs: [.spoiler]) { bench, found in
      let path = bench.words.status
      let id = try await bench.create().id
      let values: [JSONValue?] = [
        .null, .number("7"), .array([]), .bool(true), .string("true"), nil,
      ]
      // A word may be any, and a truth value may be true.
      for value in values where (bench.words.hasStatusWord ? value?.text : nil) == nil {
        if !bench.words.hasStatusWord, value == .bool(true) { continue }
        let error = await failure {
          try await bench.read(id) { $0.editing(path) { _ in value } }
        }
        found.equal(error?.kind, .unknown, "\(value.map { "\($0)" } ?? "absent")")
      }
    },
    Case("another payment's answer is none", needs: [.spoiler]) { bench, found in
      let first = try await bench.create(1)
      let second = try await bench.create(2)
      _ = try await bench.provider.read(second.id)
      let foreign = try JSONValue(parsing: bench.spoiler?.lastAnswer ?? [])
      let error = await failure { try await bench.read(first.id) { _ in foreign } }
      found.equal(error?.kind, .unknown, "the kind")
    },
  ]
}
