import KitEnvironment
import PaymentModels
import StrictJSON

/// The merchant's people: take what is held, let it go, give it back. They repeat a command with
/// its key while the server is gone or the end is not known.
struct SoakOperators: Sendable {
  /// An order with money, for a look.
  struct Errand: Sendable {
    let order: String
    let facts: HostedPage
  }

  /// Money of which nobody knows after so long is left to the judge.
  private static let patience: Duration = .seconds(60)
  private static let gap: Duration = .seconds(2)

  let stage: Stage
  let book: SoakBook

  /// Attends to orders until there are no more, many at once.
  func work(_ errands: AsyncStream<Errand>, _ words: SeededWords) async {
    var words = words
    await withTaskGroup(of: Void.self) { group in
      for await errand in errands {
        let own = SeededWords(seed: words.next())
        group.addTask { await attend(errand, own) }
      }
    }
  }

  private func attend(_ errand: Errand, _ words: SeededWords) async {
    var words = words
    // Nobody asks about the others: the server alone must learn of their money.
    guard words.chance(60) else { return }
    do {
      guard let payment = try await funded(errand.order) else { return }
      if payment["state"]?.text == "authorized" {
        let takes = words.chance(85)
        try await operate(takes ? "capture" : "close", payment, errand.order)
        guard takes else { return }
      }
      try await refund(payment, errand, &words)
    } catch {
      guard !Task.isCancelled else { return }
      await book.blame(errand.order, "an operator: \(error)")
    }
  }

  private func refund(
    _ payment: JSONValue, _ errand: Errand, _ words: inout SeededWords
  ) async throws {
    guard let refund = errand.facts.refund, words.chance(40) else { return }
    if case .part(let amount) = refund, words.chance(60) {
      try await operate("refund", payment, errand.order, ["--amount", amount], key: "part")
    }
    if case .whole = refund { return try await operate("refund", payment, errand.order) }
    if words.chance(50) { try await operate("refund", payment, errand.order) }
  }

  /// The order's payment once it holds money; nil if it does not within patience.
  private func funded(_ order: String) async throws -> JSONValue? {
    let clock = stage.environment.clock
    let end = clock.uptime() + Self.patience
    while clock.uptime() < end {
      // The server may be gone for a moment.
      let payments = (try? await stage.showOrder(order))?["payments"]?.elements ?? []
      let funded = payments.first { ["authorized", "captured"].contains($0["state"]?.text) }
      if let funded { return funded }
      try await clock.sleep(for: Self.gap)
    }
    return nil
  }

  private func operate(
    _ operation: String, _ payment: JSONValue, _ order: String, _ options: [String] = [],
    key: String = "all"
  ) async throws {
    guard let id = payment["payment_id"]?.text else { throw StoryFailure("a payment has no id") }
    await book.note(operation: operation)
    let arguments = ["payment", operation, id, "--reason", "part of a soak"]
    let till = try await stage.till(
      arguments + ["--key", "soak-\(operation)-\(key)-\(id.suffix(12))"] + options,
      within: SoakVisit.patience)
    // What is still not known then has an end by the time of the judge.
    guard till.code == 0 || Stage.again.contains(till.code) else {
      throw StoryFailure("till \(operation) ended with \(till.code): \(till.lines.last ?? "")")
    }
  }
}

/// What an operator may give back at a provider, in the product's currency.
enum SoakRefund: Hashable, Sendable {
  case whole
  case part(String)
}

extension HostedPage {
  /// Nil where the provider's document has no refund; the demo's SEB gives no parts back.
  var refund: SoakRefund? {
    switch provider {
    case .tabby: .part("50.00")
    case ProviderName("seb"), ProviderName("tebex"): .whole
    default: nil
    }
  }
}
