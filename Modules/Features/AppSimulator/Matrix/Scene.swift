import CheckoutLifecycle
import KitEnvironment
import StrictJSON

/// A story at one row: what phone, payer and page do, each by what the row's strategy can give.
struct Scene: Sendable {
  /// A checkout whose page is open.
  struct Visit: Sendable {
    let app: AppDriver
    let url: String
    let order: String
  }

  let cast: StoryCast
  let row: MatrixRow

  var payer: any HostedPayer { row.payer }
  var facts: HostedPage { row.payer.facts }

  // MARK: The phone

  /// The payer taps pay.
  ///
  /// - Parameters:
  ///   - what: options that name what is bought; the row's product unless told.
  ///   - point: where the process stops, to be killed there.
  func start(
    _ what: [String]? = nil, as other: StoryPayer = .approved, stoppingAt point: CrashPoint? = nil,
    _ options: [String] = [], on phone: String? = nil
  ) async throws -> AppDriver {
    let pair = ["--provider", "\(row.provider)", "--strategy", row.strategy.rawValue]
    let stop = point.map { ["--pause-at", $0.rawValue] } ?? []
    return try await cast.startApp(
      ["buy"] + (what ?? ["--item", facts.product]) + pair + cast.trust + stop + options,
      as: other, on: phone)
  }

  /// Buys, and waits for the page.
  func buy(
    _ what: [String]? = nil, as other: StoryPayer = .approved, _ options: [String] = []
  ) async throws -> Visit {
    try await opened(try await start(what, as: other, options))
  }

  /// Waits for the page of an app.
  func opened(_ app: AppDriver) async throws -> Visit {
    let (app, url, order) = try await cast.opened(app)
    return Visit(app: app, url: url, order: order)
  }

  /// Starts the app anew, by its icon or for a link.
  func relaunch(link: String? = nil) async throws -> AppDriver {
    let app = try await cast.startApp(
      ["resume"] + cast.trust + (link.map { ["--link", $0] } ?? []))
    _ = try await app.event("resumed") { $0["event"]?.text == "resumed" }
    return app
  }

  /// Waits for the process to stop at a point, and kills it there.
  func kill(_ app: AppDriver, at point: CrashPoint) async throws {
    _ = try await app.event("\(point.rawValue) reached") {
      $0["point"]?.text == point.rawValue
    }
    await cast.kill(app)
  }

  /// The phone puts the app away and takes it up again.
  func switchBack(to app: AppDriver) async {
    await cast.say(.payer, "switches back to the app", trust: "hint")
    app.tell("background")
    app.tell("foreground")
  }

  // MARK: The page

  /// The payer looks at the page, and so does whoever shows it.
  func look(_ visit: Visit) async throws -> PayerBrowser.Page {
    let page = try await cast.page(at: visit.url)
    if row.rule.pageScope == .checkoutOrigin { try await cast.speak(page, to: visit.app) }
    return page
  }

  /// Pays; gives the last page.
  func pay(_ visit: Visit) async throws -> PayerBrowser.Page {
    try await payer.pay(on: try await look(visit), cast)
  }

  /// Pays by what the provider works on for `duration`.
  func pay(_ visit: Visit, settledAfter duration: Duration) async throws {
    try await cast.setFaults(visit.order, facts.works(for: duration))
    _ = try await payer.payUnsettled(on: try await look(visit), cast)
  }

  /// Goes to the bank, which the app sees where it sees the page's navigation.
  func goToBank(_ visit: Visit) async throws -> PayerBrowser.Page {
    try await cast.setFaults(visit.order, facts.works(for: .milliseconds(200)))
    let bank = try await payer.goToBank(from: try await look(visit), cast)
    if row.strategy.returnWay == .navigation {
      // Its app, where a page may hand the payer out and live on; else its address, which ends it.
      let address = row.rule.pageScope == .anyWebPage ? "mockbank://confirm" : bank.url
      visit.app.tell("navigate \(address)")
      _ = try await visit.app.event("the bank was opened") { $0["decision"]?.text == "outside" }
    }
    visit.app.tell("background")
    return bank
  }

  /// The link by which a page leads back, whether it is paid or over.
  func returnLink(from page: PayerBrowser.Page) async throws -> String {
    let isOver = (try? page.link("continue")) == nil
    return try await cast.returnLink(from: page, by: isOver ? "cancel" : "continue")
  }

  /// The page leads back to an app that runs.
  func comeBack(to app: AppDriver, from page: PayerBrowser.Page) async throws {
    deliver(try await returnLink(from: page), to: app)
  }

  /// A return reaches an app that runs, by the way of the strategy.
  func deliver(_ link: String, to app: AppDriver) {
    app.tell("\(row.strategy.returnWay.rawValue) \(link)")
  }

  /// The payer leaves the page without following its link: closes it where the app is told of
  /// that, else switches back to the app.
  func leave(_ app: AppDriver) async {
    guard row.tellsOfClosing else { return await switchBack(to: app) }
    await cast.say(.payer, "closes the page", trust: "hint")
    app.tell("close")
  }

  /// The page of a checkout that waits: still there where it outlives what happened to the app,
  /// else opened again at the payer's wish.
  func pageAgain(_ visit: Visit, isStillUp: Bool) async throws -> Visit {
    guard !isStillUp else { return visit }
    let count = await visit.app.events.count { $0.json["event"]?.text == "open" }
    let url = try await cast.reopened(visit.app, after: count)
    try await cast.check("the page is \(url), not \(visit.url)", url == visit.url)
    return visit
  }

  // MARK: Ends

  func expectPaid(_ app: AppDriver) async throws {
    try await cast.expectOutcome("succeeded", of: app)
  }

  /// Pays, comes back and is told of it; gives the order.
  func payAndComeBack(_ visit: Visit) async throws -> String {
    try await comeBack(to: visit.app, from: try await pay(visit))
    try await expectPaid(visit.app)
    return visit.order
  }
}

extension StoryCast {
  /// Cancels on the page in a way that leaves the payment open; gives the link that leads back.
  func cancelLink(
    of order: String, on page: PayerBrowser.Page, _ facts: HostedPage
  ) async throws -> String {
    if let fault = facts.cancelFault {
      try await setFaults(order, .object([JSONMember(name: fault, value: .bool(true))]))
    }
    say(.payer, "cancels on the page")
    return try await returnLink(from: page, by: "cancel")
  }

  func killServer() async {
    await stage.killServer()
    say(.server, "killed (SIGKILL)")
  }

  func startServer() async throws {
    try await stage.startServer()
    say(.server, "started again")
  }
}
