import CheckoutService
import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import PaymentStore
import StatusSync

extension MerchantServer {
  /// What monitoring asks: counts of this process, and how the store stands now. For the monitor's
  /// key, which opens nothing else, or an operator's.
  func showMetrics(_ request: HTTPRequest) async throws -> HTTPResponse {
    switch try await caller(of: request) {
    case .monitor, .operator: break
    case .user: throw Problem(.forbidden, "This takes the metrics key or an operator key.")
    }
    let statistics = try await store.read { try $0.statistics() }
    let standing = StoreMetrics(
      statistics, providers: checkouts.providerNames, now: environment.clock.now())
    let held = MetricFamily(
      .readsHeld, [MetricSeries(labels: [], value: .number(Double(await waiters.waiterCount)))])
    let families = environment.metrics.families + [held] + standing.families
    return HTTPResponse(
      status: 200, headers: ["Content-Type": MetricsText.contentType],
      body: Array(MetricsText.text(families).utf8))
  }

  /// The provider's name as a label: whoever asks for a path makes up any.
  func peerWord(_ provider: ProviderName) -> String {
    checkouts.providerNames.contains(provider) ? provider.rawValue : MetricTable.other
  }
}

extension WebhookReceipt {
  /// The receipt as a label.
  var word: String {
    switch self {
    case .stored: "stored"
    case .handshake: "handshake"
    case .tooLarge: "too_large"
    case .full: "full"
    case .unauthentic: "unauthentic"
    case .malformed: "malformed"
    case .unknownProvider: "unknown_provider"
    }
  }
}

extension Metric {
  static let readsHeld = Metric(
    "till_reads_held", "Reads of apps that wait for their payment to change.", .gauge)

  static let webhooks = Metric(
    "till_webhooks_total", "Webhook deliveries by what became of them.", .counter,
    labels: ["provider", "verdict"])
}
