import KitEnvironment
import PaymentModels
import StrictJSON

/// What came out at the end.
struct SoakVerdict: Sendable {
  var books = SoakBooks()
  var faults: [SoakBook.Fault] = []
  /// Payments that only the comparison of the books taught the server, as its daily run would.
  var reconciled = 0
}

/// Waits, once the faults are over, until all witnesses agree, and says where they never did.
struct SoakJudge: Sendable {
  /// The server reads a payment of some minutes' age every two minutes; after that, an answer that
  /// failed last is tried again.
  private static let settleMost: Duration = .seconds(240)
  /// A young payment is read every half a minute.
  private static let settleLeast: Duration = .seconds(45)
  private static let gap: Duration = .seconds(2)
  /// How long a right end is watched for something that comes twice.
  private static let watchTime: Duration = .seconds(3)

  let stage: Stage
  let book: SoakBook

  /// Looks until nothing is wrong, and once more after that.
  func verdict(after duration: Duration) async -> SoakVerdict {
    let clock = stage.environment.clock
    let end = clock.uptime() + min(Self.settleMost, Self.settleLeast + duration)
    var verdict = SoakVerdict()
    do {
      try await look(&verdict)
      while !verdict.faults.isEmpty, clock.uptime() < end {
        try await clock.sleep(for: Self.gap)
        try await look(&verdict)
      }
      guard verdict.faults.isEmpty else { return verdict }
      try await clock.sleep(for: Self.watchTime)
      try await look(&verdict)
      verdict.faults += try await SoakWitnesses(stage: stage, book: book).stuck().map {
        SoakBook.Fault(order: nil, text: $0)
      }
    } catch {
      verdict.faults.append(
        SoakBook.Fault(order: nil, text: "the witnesses cannot be heard: \(error)"))
    }
    return verdict
  }

  private func look(_ verdict: inout SoakVerdict) async throws {
    let witnesses = SoakWitnesses(stage: stage, book: book)
    verdict.faults = []
    let waiting = try await witnesses.waiting()
    guard waiting == 0 else {
      let text = "\(waiting) webhooks or messages are still on their way"
      return verdict.faults = [SoakBook.Fault(order: nil, text: text)]
    }
    let differences = try await witnesses.differences()
    verdict.books = try await witnesses.books()
    verdict.faults = verdict.books.faults
    let orders = Dictionary(
      verdict.books.payments.map { ($0.id, $0.order) }, uniquingKeysWith: { first, _ in first })
    for difference in differences {
      let order = difference["payment_id"]?.text.flatMap { orders[$0] }
      let text = String(decoding: difference.serialized(), as: UTF8.self)
      verdict.faults.append(SoakBook.Fault(order: order, text: "till reconcile: \(text)"))
    }
    // An ended payment is read once a day. What is paid after that, and not told by a webhook, is
    // for the daily comparison to find.
    let mayBeLate = verdict.books.late.union(verdict.books.cancelled)
    let isLate = verdict.faults.allSatisfy { $0.order.map(mayBeLate.contains) == true }
    guard !differences.isEmpty, isLate else { return }
    _ = try await witnesses.differences(applies: true)
    verdict.reconciled += differences.count
  }
}
