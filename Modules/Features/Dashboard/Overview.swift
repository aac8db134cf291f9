import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import WebPages

extension Dashboard {
  /// Payments that the overview shows.
  private static let newestMax = 8

  /// How the shop stands, at a glance.
  func showOverview(_ visit: Visit) async throws -> HTTPResponse {
    let (statistics, pauses, rows, providers) = try await store.read { transaction in
      (
        try transaction.statistics(), try transaction.pauses(),
        try transaction.payments(before: nil, limit: Self.newestMax).map {
          try PaymentListRow($0, transaction)
        }, try transaction.paymentProviders()
      )
    }
    let health = ProviderHealth(
      statistics: statistics, pauses: pauses, families: environment.metrics.families,
      now: visit.now)
    return page(
      "Overview", .overview, visit, live: .some(nil),
      """
      <h1>Overview</h1>
      <div data-live id="overview">
      <section aria-labelledby="queues"><h2 id="queues">Queues</h2>
      \(queues(statistics, visit.now))</section>
      <section aria-labelledby="states"><h2 id="states">Payments</h2>
      \(states(statistics))</section>
      \(if: !rows.isEmpty, newest(rows, visit.now))
      <section aria-labelledby="health"><h2 id="health">Providers</h2>
      \(health.html(providers))</section>
      <section aria-labelledby="lag"><h2 id="lag">How late changes were learned</h2>
      \(health.lag)</section>
      </div>
      """)
  }

  private func newest(_ rows: [PaymentListRow], _ now: Instant) -> HTML {
    """
    <section aria-labelledby="newest"><div class="head"><h2 id="newest">Newest</h2>
    <a href="\(DashboardRoute.payments.path)">All payments</a></div>
    \(table(rows, now, none: ""))</section>
    """
  }

  private func queues(_ statistics: StoreStatistics, _ now: Instant) -> HTML {
    let reviews = statistics.reviews.map(\.queue)
    let waiting = statistics.waiting.map(\.queue)
    let tiles = [
      tile("Open cases", sum(reviews), now, to: DashboardRoute.reviews.path, isHot: true),
      tile("Not final", sum(waiting), now, to: nil, isHot: false, "last proven"),
      tile("Operations open", statistics.operations, now, to: nil, isHot: false),
      tile(
        "Deliveries queued", statistics.receivedWebhooks, now,
        to: DashboardRoute.inbox.path + "?state=received", isHot: false),
      tile(
        "Unmatched", statistics.unmatchedWebhooks, now,
        to: DashboardRoute.inbox.path + "?state=unmatched", isHot: true),
      tile(
        "Parked", statistics.parkedWebhooks, now,
        to: DashboardRoute.inbox.path + "?state=parked", isHot: true),
      tile(
        "Messages waiting", statistics.messages, now,
        to: DashboardRoute.outbox.path + "?state=waiting", isHot: false),
      tile(
        "Messages dead", statistics.deadMessages, now,
        to: DashboardRoute.outbox.path + "?state=dead", isHot: true),
    ]
    return "<ul class=\"tiles queues\">\(tiles)</ul>"
  }

  private func tile(
    _ name: String, _ queue: StoreStatistics.Queue, _ now: Instant, to path: String?, isHot: Bool,
    _ what: String = "oldest"
  ) -> HTML {
    let oldest: HTML? = queue.oldest.map { "<small>\(what) \(PageWording.age($0, now))</small>" }
    let content: HTML = """
      <b>\(queue.count)</b> <span>\(name)\(oldest)</span>
      """
    let isAlarming = isHot && queue.count > 0
    let mood: HTML = isAlarming ? " class=\"hot\"" : queue.count == 0 ? " class=\"none\"" : ""
    let box: HTML = path.map { "<a href=\"\($0)\">\(content)</a>" } ?? "<div>\(content)</div>"
    return "<li\(mood)>\(box)</li>"
  }

  private func sum(_ queues: [StoreStatistics.Queue]) -> StoreStatistics.Queue {
    StoreStatistics.Queue(
      count: queues.reduce(0) { $0 + $1.count }, oldest: queues.compactMap(\.oldest).min())
  }

  private func states(_ statistics: StoreStatistics) -> HTML {
    let tiles = PaymentFilter.State.allCases.compactMap { state -> HTML? in
      let count = statistics.payments.filter { PaymentFilter.State($0.status) == state }
        .reduce(0) { $0 + $1.count }
      guard count > 0 else { return nil }
      let path = QueryText.append("state", state.rawValue, to: DashboardRoute.payments.path)
      return """
        <li><a href="\(path)"><b>\(count)</b> <span class="pill s-\(state.rawValue)">\
        \(state.rawValue)</span></a></li>
        """
    }
    guard !tiles.isEmpty else {
      return "<p class=\"empty\">No payment yet. The first one appears here by itself.</p>"
    }
    return "<ul class=\"tiles\">\(tiles)</ul>"
  }
}

/// How each provider answers, from what is stored and what this process has counted.
struct ProviderHealth {
  let statistics: StoreStatistics
  let pauses: [PauseRow]
  let families: [MetricFamily]
  let now: Instant

  func html(_ providers: [ProviderName]) -> HTML {
    let names = Set(providers).union(statistics.waiting.map(\.provider)).union(
      pauses.map(\.provider)
    ).sorted()
    guard !names.isEmpty else { return "<p class=\"empty\">No provider was used yet.</p>" }
    return """
      <table class="list"><thead><tr><th scope="col">Provider</th><th scope="col">Checkouts</th>\
      <th scope="col" class="number">Not final</th><th scope="col">Longest unproven</th>\
      <th scope="col">Calls since the start</th><th scope="col">Webhooks since the start</th></tr>\
      </thead><tbody>\(names.map(row))</tbody></table>
      """
  }

  private func row(_ name: ProviderName) -> HTML {
    let waiting = statistics.waiting.first { $0.provider == name }?.queue
    let pause = pauses.first { $0.provider == name }
    let checkouts: HTML =
      pause.map { pause in
        """
        <span class="pill h-paused">paused\(pause.account.map { ": \($0)" } ?? "")</span> \
        <span class="soft">by \(pause.operatorName): \(pause.reason)</span>
        """
      } ?? "<span class=\"pill h-open\">open</span>"
    return """
      <tr><th scope="row">\(name)</th><td data-name="Checkouts">\(checkouts)</td>
      <td data-name="Not final" class="number">\(waiting?.count ?? 0)</td>
      <td data-name="Longest unproven">\(waiting?.oldest.map { PageWording.age($0, now) })</td>
      <td data-name="Calls">\(counts("till_calls_total", of: name))</td>
      <td data-name="Webhooks">\(counts("till_webhooks_total", of: name))</td></tr>
      """
  }

  /// `12 ok, 1 timeout`, by the second label.
  private func counts(_ metric: String, of name: ProviderName) -> HTML {
    let series = families.first { $0.metric.name == metric }?.series ?? []
    let parts = series.filter { $0.labels.count == 2 && $0.labels[0] == name.rawValue }.compactMap {
      series -> (String, Int)? in
      guard case .number(let count) = series.value else { return nil }
      return (PageWording.words(series.labels[1]), Int(count))
    }.sorted { $0.0 < $1.0 }
    guard !parts.isEmpty else { return "<span class=\"soft\">none</span>" }
    return "\(parts.map { "\($0.1) \($0.0)" }.joined(separator: ", "))"
  }

  /// Of each channel, how many changes it learned and within what time most of them.
  var lag: HTML {
    let series = families.first { $0.metric.name == "till_change_lag_seconds" }
    guard let series, case .histogram(let bounds) = series.metric.kind, !series.series.isEmpty
    else {
      return "<p class=\"empty\">No change was learned since the start.</p>"
    }
    let rows = series.series.sorted { $0.labels.lexicographicallyPrecedes($1.labels) }.compactMap {
      one -> HTML? in
      guard case .histogram(let counts, _) = one.value else { return nil }
      let total = counts.reduce(0, +)
      let channel = one.labels.first.flatMap { Channel(rawValue: $0) }
      return """
        <tr><th scope="row">\(channel.map { Wording.channel($0) } ?? "other")</th>
        <td data-name="Changes" class="number">\(total)</td>
        <td data-name="Half within">\(Self.within(0.5, counts, bounds))</td>
        <td data-name="95 % within">\(Self.within(0.95, counts, bounds))</td></tr>
        """
    }
    return """
      <table class="list"><thead><tr><th scope="col">Channel</th>\
      <th scope="col" class="number">Changes</th><th scope="col">Half within</th>\
      <th scope="col">95 % within</th></tr></thead><tbody>\(rows)</tbody></table>
      """
  }

  private static func within(_ share: Double, _ counts: [Int64], _ bounds: [Double]) -> String {
    let goal = share * Double(counts.reduce(0, +))
    var seen = 0.0
    for (index, count) in counts.enumerated() {
      seen += Double(count)
      guard seen >= goal else { continue }
      return index < bounds.count
        ? PageWording.span(.seconds(Int64(bounds[index])))
        : "over \(PageWording.span(.seconds(Int64(bounds.last ?? 0))))"
    }
    return "—"
  }
}
