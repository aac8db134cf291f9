import KitEnvironment
import PaymentModels
import Simulation
import SystemCrypto
import TestSupport

extension World {
  /// Plays a world before the oracle.
  static func run(
    seed: UInt64, _ change: (inout WorldSettings) -> Void = { _ in }
  ) async -> WorldReport {
    var settings = WorldSettings(hashing: .openSSL)
    change(&settings)
    return await run(seed: seed, settings: settings) { judge($0) }
  }

  private static func judge(_ evidence: WorldEvidence) -> WorldVerdict {
    do {
      let oracle = try PaymentOracle(evidence)
      return WorldVerdict(
        violations: oracle.violations.map(\.description),
        unsettled: oracle.unsettled.map(\.description))
    } catch {
      return WorldVerdict(violations: ["the ledger cannot be read: \(error)"])
    }
  }
}

extension PaymentOracle {
  fileprivate init(_ evidence: WorldEvidence) throws {
    try self.init(
      ledger: evidence.ledger,
      receipts: evidence.receipts.map {
        Receipt(at: $0.at, messageID: $0.messageID, type: $0.type, orderID: $0.orderID)
      },
      screens: evidence.screens.map {
        Screen(checkout: $0.checkout, orderID: $0.orderID, shows: $0.shows)
      },
      book: evidence.book.map { order in
        Claim(
          orderID: order.orderID, state: order.state, captured: order.captured,
          payments: order.payments.map { ($0.providerPaymentID, $0.status) })
      })
  }
}
