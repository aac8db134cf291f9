import CheckoutLifecycle
import KitEnvironment
import PaymentModels
import StrictJSON

/// One payer with one wish to buy. Faults are on: a page that does not open or a step that is
/// refused sends the payer away, and is not wrong by itself. Wrong is what the app shows, and a
/// payment that it never shows as paid.
struct SoakVisit: Sendable {
  /// Longer than the longest outage, a kill of the server and the app's own waits together.
  static let patience: Duration = .seconds(90)

  let scene: Scene
  let deed: SoakDeed
  let book: SoakBook

  private var cast: StoryCast { scene.cast }
  private var facts: HostedPage { scene.facts }

  /// Plays it; gives the order if money was left at the provider that an operator should look at.
  func play() async -> String? {
    await book.noteVisit(at: facts.provider)
    await book.note(deed)
    let payer: StoryPayer = deed == .refused ? facts.refusedPayer : .approved
    guard let app = try? await scene.start(as: payer), let visit = await opened(app) else {
      await book.noteNoPage(at: facts.provider)
      return nil
    }
    do {
      guard let app = try await act(visit) else { return nil }
      try await expectSuccess(of: app, visit.order)
      return visit.order
    } catch {
      guard !Task.isCancelled else { return nil }
      await cast.say(.payer, "gives up: \(error)")
      await book.noteBrokenOff(at: facts.provider)
      // What was paid before is there all the same.
      return deed == .abandons || deed == .refused ? nil : visit.order
    }
  }

  /// Waits for the page; nil if the app says that there will be none, or nothing at all.
  private func opened(_ app: AppDriver) async -> Scene.Visit? {
    let seen = try? await app.event("page open", within: Self.patience) {
      $0["event"]?.text == "open" || $0["display"]?.text == "not_started"
    }
    guard seen?["event"]?.text == "open" else { return nil }
    return try? await scene.opened(app)
  }

  /// Does the deed; gives the app that must show success, if one must.
  private func act(_ visit: Scene.Visit) async throws -> AppDriver? {
    switch deed {
    case .pays:
      try await scene.comeBack(to: visit.app, from: try await scene.pay(visit))
    case .leavesPaid:
      _ = try await scene.pay(visit)
      await scene.leave(visit.app)
    case .failsFirst:
      try await scene.payer.failOnce(on: try await scene.look(visit), cast)
      try await scene.comeBack(to: visit.app, from: try await scene.pay(visit))
    case .killedAtBank: return try await payAtBank(visit)
    case .secondPhone: return try await payOnSecondPhone(visit)
    case .cancelsThenPays: return try await cancelThenPay(visit)
    case .paysTwice: return try await payTwice(visit)
    case .abandons:
      await cast.say(.payer, "leaves without paying")
      await cast.kill(visit.app)
      return nil
    case .refused:
      try await beRefused(visit)
      return nil
    case .paysCancelled:
      try await payCancelled(visit)
      return nil
    }
    return visit.app
  }

  private func payAtBank(_ visit: Scene.Visit) async throws -> AppDriver {
    let bank = try await scene.payer.goToBank(from: try await scene.look(visit), cast)
    visit.app.tell("background")
    await cast.kill(visit.app)
    try await scene.payer.confirm(at: bank, cast)
    return try await scene.relaunch()
  }

  private func payOnSecondPhone(_ visit: Scene.Visit) async throws -> AppDriver? {
    await cast.kill(visit.app)
    let app = try await scene.start(["--order", visit.order], on: cast.stage.newPhone())
    guard let second = await opened(app) else { return nil }
    try await scene.comeBack(to: second.app, from: try await scene.pay(second))
    return second.app
  }

  private func cancelThenPay(_ visit: Scene.Visit) async throws -> AppDriver? {
    try await cancel(visit, on: try await scene.look(visit))
    return try await payAnew(visit.order)
  }

  /// Where a provider has ended the payment by the cancel, the bank's late yes pays it all the
  /// same, beside the second attempt.
  private func payTwice(_ visit: Scene.Visit) async throws -> AppDriver? {
    let page = try await scene.look(visit)
    let bank = try await scene.payer.goToBank(from: page, cast)
    try await cancel(visit, on: page)
    let second = try await payAnew(visit.order)
    await book.noteLate(visit.order)
    try? await scene.payer.confirm(at: bank, cast)
    return second
  }

  private func cancel(_ visit: Scene.Visit, on page: PayerBrowser.Page) async throws {
    await cast.say(.payer, "cancels on the page")
    scene.deliver(try await cast.returnLink(from: page, by: "cancel"), to: visit.app)
    _ = try await visit.app.event("an answer to the cancel", within: Self.patience) {
      ["confirming", "outcome"].contains($0["display"]?.text)
    }
    await cast.kill(visit.app)
  }

  private func payAnew(_ order: String) async throws -> AppDriver? {
    guard let second = await opened(try await scene.start(["--order", order])) else { return nil }
    try await scene.comeBack(to: second.app, from: try await scene.pay(second))
    return second.app
  }

  private func beRefused(_ visit: Scene.Visit) async throws {
    let page = try await scene.look(visit)
    guard facts.rejected != nil else { return try await scene.payer.failOnce(on: page, cast) }
    try await scene.payer.beRefused(on: page, order: visit.order, cast)
  }

  private func payCancelled(_ visit: Scene.Visit) async throws {
    let bank = try await scene.payer.goToBank(from: try await scene.look(visit), cast)
    await book.noteCancel(of: visit.order)
    await cast.say(.server, "till order cancel")
    _ = try await cast.stage.till(
      ["order", "cancel", visit.order, "--reason", "out of stock"])
    try await scene.payer.confirm(at: bank, cast)
  }

  private func expectSuccess(of app: AppDriver, _ order: String) async throws {
    do {
      _ = try await app.event("succeeded", within: Self.patience) {
        $0["outcome"]?.text == "succeeded"
      }
    } catch {
      guard !Task.isCancelled else { throw error }
      let shown = await app.displays.last ?? "nothing"
      await book.blame(order, "paid, and after \(Self.patience) the app shows \(shown)")
    }
  }
}
