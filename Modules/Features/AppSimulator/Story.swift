import HTTPExchange
import KitEnvironment
import StrictJSON

/// One story: how it goes, and how it must end.
struct Story: Sendable {
  /// Short name, as in `till-app run NAME`.
  let name: String
  /// What a reader sees above the timeline.
  let title: String
  /// Plays it and gives the order that it was about.
  let play: @Sendable (StoryCast) async throws -> String
  /// How it must end.
  let ending: Ending

  /// The only right end.
  struct Ending: Sendable {
    /// The order's state.
    var order: String
    /// How often the goods went out.
    var fulfilments: Int
    /// How often they were to be taken back.
    var revocations = 0
    /// States of the order's payments at the provider, oldest first.
    var provider: [String]
    /// States of the order's payments at the server, by attempt.
    var payments: [String]
    /// What the provider has taken in all.
    var captured: String
    /// Outcomes other than success that the payer may have been shown, each with proof.
    var shown: [String] = []
  }
}

/// The parties of one story: the payer's phone and browser, the sandbox's faults, the witnesses.
actor StoryCast {
  let stage: Stage
  nonisolated let browser: PayerBrowser
  private let phone: String
  private(set) var timeline = Timeline()
  private var drivers: [AppDriver] = []
  private let startPump: @Sendable (AppDriver) -> Void

  init(stage: Stage, startPump: @escaping @Sendable (AppDriver) -> Void) {
    self.stage = stage
    self.startPump = startPump
    browser = PayerBrowser(transport: stage.transport)
    phone = stage.newPhone()
  }

  // MARK: The phone

  /// Starts the app on this story's phone, or on another one of the payer.
  ///
  /// - Parameter start: how, if not as the stage does.
  func startApp(
    _ arguments: [String], as payer: StoryPayer = .approved, on other: String? = nil,
    by start: (@Sendable ([String], StoryPayer) throws -> StageProcess)? = nil
  ) throws -> AppDriver {
    say(.payer, "starts the app: \(arguments.joined(separator: " "))")
    let process = try (start ?? stage.startApp)(arguments + ["--store", other ?? phone], payer)
    let driver = AppDriver(process, environment: stage.environment)
    drivers.append(driver)
    startPump(driver)
    return driver
  }

  /// Buys the lamp and gives the app once the hosted page is open, with its URL and order.
  func buy(
    as payer: StoryPayer = .approved, _ arguments: [String] = ["--item", "lamp"]
  ) async throws -> (app: AppDriver, url: String, order: String) {
    let app = try startApp(["buy"] + arguments, as: payer)
    return try await opened(app)
  }

  /// Waits for the page of an app to be open. That its payment was stored before is judged at the
  /// end of each story.
  func opened(_ app: AppDriver) async throws -> (app: AppDriver, url: String, order: String) {
    let page = try await app.event("page open") { $0["event"]?.text == "open" }
    let stored = try await app.event("stored") {
      $0["event"]?.text == "stored" && $0["order_id"]?.text != nil
    }
    guard let url = page["url"]?.text, let order = stored["order_id"]?.text else {
      throw StoryFailure("the app names no page or order")
    }
    return (app, url, order)
  }

  /// What the apps printed, process after process: their events, and all lines.
  var reports: (events: [[JSONValue]], lines: [[String]]) {
    get async {
      var reports: (events: [[JSONValue]], lines: [[String]]) = ([], [])
      for driver in drivers {
        reports.events.append(await driver.events.map(\.json))
        reports.lines.append(await driver.printed)
      }
      return reports
    }
  }

  /// Ends every app that still runs.
  func quit() async {
    for driver in drivers { await driver.kill() }
  }

  /// The order that the story was about, as far as it got.
  var lastOrder: String? {
    get async {
      for driver in drivers.reversed() {
        let order = await driver.events.lazy.compactMap { $0.json["order_id"]?.text }.first
        if let order { return order }
      }
      return nil
    }
  }

  /// Kills an app with SIGKILL, as a phone does that needs memory.
  func kill(_ app: AppDriver) async {
    await app.kill()
    say(.payer, "the phone kills the app (SIGKILL)")
  }

  // MARK: The payer on the hosted page

  /// Looks at a page in the payer's browser.
  func page(at url: String) async throws -> PayerBrowser.Page {
    try await browser.open(url).page()
  }

  /// Lets the hosted page send the payer back, by the link with this id; gives the app's link.
  func returnLink(
    from page: PayerBrowser.Page, by id: String = "continue"
  ) async throws -> String {
    let link = try await browser.open(page.link(id)).link()
    say(.payer, "is sent back by \(link.prefix { $0 != "?" })", trust: "hint")
    return link
  }

  // MARK: The provider

  func setFaults(_ order: String, _ faults: JSONValue) async throws {
    _ = try await control("/sandbox/payments/\(try await lastPayment(of: order))/faults", faults)
  }

  /// The provider moves the order's last payment by itself.
  func setStatus(of order: String, _ status: String) async throws {
    _ = try await control(
      "/sandbox/payments/\(try await lastPayment(of: order))/status",
      .object(["status": .string(status)]))
  }

  private func lastPayment(of order: String) async throws -> String {
    guard let id = try await providerPayments(of: order).last?["id"]?.text else {
      throw StoryFailure("the sandbox knows no payment of the order")
    }
    return id
  }

  func providerPayments(of order: String) async throws -> [JSONValue] {
    let json = try await control("/sandbox/ledger", nil)
    // Providers are told the order's id or the payment's, by what their document says of it.
    var references: Set<String> = [order]
    for driver in drivers {
      for event in await driver.events.map(\.json) where event["order_id"]?.text == order {
        if let payment = event["payment_id"]?.text { references.insert(payment) }
      }
    }
    return (json["payments"]?.elements ?? []).filter {
      $0["reference_id"]?.text.map(references.contains) == true
    }
  }

  /// Calls the sandbox's control API: POST with a body, GET without.
  func control(_ target: String, _ body: JSONValue?) async throws -> JSONValue {
    try await stage.control(target, body)
  }

  // MARK: Telling

  func say(_ lane: Timeline.Lane, _ text: String, trust: String = "") {
    timeline.add(stage.environment.clock.now(), lane, text, trust: trust)
  }

  func check(_ claim: String, _ holds: Bool) throws {
    guard holds else { throw StoryFailure(claim) }
  }

  /// The whole timeline: device, payer, the server's journal, the provider's ledger.
  func finishedTimeline(order: String?) async -> Timeline {
    var told = timeline
    for driver in drivers { await driver.tell(&told) }
    guard let order else { return told }
    if let journal = try? await stage.explainOrder(order) { told.add(journal: journal) }
    for payment in (try? await providerPayments(of: order)) ?? [] {
      told.add(provider: payment)
    }
    return told
  }
}
