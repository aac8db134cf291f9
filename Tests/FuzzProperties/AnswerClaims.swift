import HTTPExchange
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON

/// Any answer to any call of any provider is mapped or refused. The first bytes say which call and
/// status; the rest is the body.
func checkAnswers(_ bytes: [UInt8]) async throws(BrokenClaim) {
  var input = FuzzInput(bytes)
  let provider = input.choice(from: FuzzShop.providers)
  let call = input.choice(from: ProviderCall.allCases)
  let status = input.choice(from: [200, 200, 200, 201, 202, 204, 302, 400, 401, 404, 429, 500])
  let body = input.remainder()
  let answer = HTTPResponse(
    status: status, headers: ["Content-Type": "application/json"], body: body)
  let json = try? JSONValue(parsing: body)
  let judge = AnswerJudge(name: provider.name, json: json, isSuccess: [200, 201].contains(status))
  do {
    let readings = try await FuzzShop.$answer.withValue(answer) {
      try await call.readings(provider, judge.namedID)
    }
    for reading in readings {
      try judge.check(reading)
      try await checkSettled(reading, provider)
    }
  } catch let error as ProviderError {
    try checkError(error, body)
  } catch let error as BrokenClaim {
    throw error
  } catch {
    throw BrokenClaim(description: "a call fails with a ProviderError, not with \(error)")
  }
}

private enum ProviderCall: CaseIterable {
  case read, create, capture, refund, close, transaction, list

  func readings(
    _ provider: any PaymentProvider, _ id: String
  ) async throws -> [PaymentReading] {
    guard let terms = FuzzShop.terms(provider) else { return [] }
    let operation = ProviderOperation(
      providerPaymentID: ProviderPaymentID(id), amount: terms.total,
      reference: OperationID("01995000-0003-7000-8000-000000000001"), transactionID: id)
    switch self {
    case .read: return [try await provider.read(ProviderPaymentID(id))]
    case .create:
      let request = try provider.prepareCreate(terms)
      return [try await provider.create(request, idempotencyKey: "key").reading]
    case .capture: return [try await provider.capture(operation)]
    case .refund: return [try await provider.refund(operation)]
    case .close: return [try await provider.close(ProviderPaymentID(id))]
    case .transaction:
      let told = try await provider.readTransaction(id, of: ProviderPaymentID("basket-1"))
      return [told].compactMap(\.self)
    case .list:
      guard let lister = provider as? any PaymentListing else { return [] }
      return try await lister.payments(since: FuzzShop.now, cursor: nil).readings
    }
  }
}

/// Judges a reading by the bare JSON, with words of its own.
struct AnswerJudge {
  let name: ProviderName
  let json: JSONValue?
  let isSuccess: Bool

  /// The id that the answer names, so that it is one of the payment that was asked for.
  var namedID: String {
    for path in ["id", "paymentId", "ident", "data.ident", "transaction_id", "payment.id"] {
      if let text = json?.find(path)?.text { return text }
    }
    return "6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11"
  }

  func check(_ reading: PaymentReading) throws(BrokenClaim) {
    try hold(isSuccess, "only a success says anything")
    for amount in [reading.amount].compactMap(\.self) + reading.items.map(\.amount) {
      try hold((0...Money.minorUnitsMax).contains(amount.minorUnits), "amounts are within bounds")
    }
    if reading.status.isFinalUnpaid {
      try hold(hasWord(unpaidWords), "an end without money is one that the provider has named")
    }
    try hold(!reading.status.holdsMoney || namesMoney, "money is what the provider has named")
    try hold(reading.items.isEmpty || namesMovements, "a movement is one that was named")
    if case .unknown(let word) = reading.status {
      try hold(word.unicodeScalars.count <= 84, "a word that nobody knows is kept short")
    }
  }

  private var unpaidWords: Set<String> {
    switch name {
    case .tabby: ["rejected", "expired", "closed", "cancelled", "canceled"]
    case .futa, .rais: ["failed", "expired", "cancelled", "canceled"]
    case .seb: ["failed", "cancelled", "expired", "abandoned"]
    default: []
    }
  }

  private var namesMoney: Bool {
    switch name {
    case .tabby:
      hasWord(["authorized"])
        || (hasWord(["closed", "cancelled", "canceled"]) && lists(["captures"]))
    case .futa: hasWord(["paid", "refunded"])
    case .rais: hasWord(["paid"])
    case .seb: hasWord(["authorized", "captured", "settled", "refunded"])
    default: saysTebexMoney
    }
  }

  /// Tabby lists what was taken and given back, whatever its word for the state.
  private var namesMovements: Bool {
    name == .tabby ? lists(["captures", "refunds"]) : namesMoney
  }

  /// A basket that is complete, or a transaction in a state with money.
  private var saysTebexMoney: Bool {
    guard let json else { return false }
    return json.values.contains {
      $0 == .bool(true) || ["1", "2", "3", "21"].contains($0.numberText ?? $0.text ?? "")
    }
  }

  private func lists(_ names: [String]) -> Bool {
    guard let json else { return false }
    return json.values.contains { value in
      names.contains { value[$0]?.elements?.isEmpty == false }
    }
  }

  private func hasWord(_ words: Set<String>) -> Bool {
    json?.values.contains { $0.text.map { words.contains($0.lowercased()) } ?? false } ?? false
  }
}

extension JSONValue {
  /// Every value in this one, itself included.
  fileprivate var values: [JSONValue] {
    [self] + (elements ?? members?.map(\.value) ?? []).flatMap(\.values)
  }
}

/// Whatever is read, the book that it is written into adds up; more money than was asked for, and
/// money beside a word that has none, is put before a person.
private func checkSettled(
  _ reading: PaymentReading, _ provider: any PaymentProvider
) async throws(BrokenClaim) {
  guard let currency = FuzzShop.terms(provider)?.total.currency else { return }
  let store = InMemoryPaymentStore()
  do {
    let (row, items, isReviewed) = try await store.write { transaction in
      try transaction.insertOrder(FuzzShop.order(currency))
      try transaction.insertPayment(FuzzShop.payment(provider.name, currency))
      var number = 0
      let settlement = Settlement(
        transaction, policy: SettlementPolicy(), now: FuzzShop.now,
        newUUID: {
          number += 1
          return "id-\(number)"
        })
      let id = FuzzShop.paymentID
      _ = try settlement.apply(reading, to: id, startedAt: nil, channel: .call)
      let cases = try transaction.reviews(of: FuzzShop.orderID)
      return (try transaction.payment(id), try transaction.items(of: id), !cases.isEmpty)
    }
    guard let row else { throw BrokenClaim(description: "a payment stays in the book") }
    try hold(items.isCountable, "the book's movements add up")
    let captured = items.sum(.capture)
    try hold(captured <= row.amount.minorUnits || isReviewed, "more than was asked for is reviewed")
    try hold(
      captured == 0 || row.status.holdsMoney || isReviewed,
      "money beside a word that has none is reviewed")
    if row.status.isFinalUnpaid {
      try hold(reading.status == row.status, "an end is one that was read")
    }
  } catch let error as BrokenClaim {
    throw error
  } catch {
    throw BrokenClaim(description: "a reading can be settled: \(error)")
  }
}

/// What an error shows is short, and no key of ours.
private func checkError(_ error: ProviderError, _ body: [UInt8]) throws(BrokenClaim) {
  try hold(error.detail.count <= 300, "an error is short")
  let mark = "worldkey"
  let isInBody = String(decoding: body, as: UTF8.self).lowercased().contains(mark)
  try hold(isInBody || !error.description.contains(mark), "an error shows no key")
  let code = error.code ?? ""
  try hold(
    code.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "_") },
    "a code is a word")
}
