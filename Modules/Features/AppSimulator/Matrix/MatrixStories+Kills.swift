import CheckoutLifecycle
import StrictJSON

/// The phone kills the app by SIGKILL.
extension MatrixStory {
  static let atKills =
    [
      killed(at: .intentStored, "before-create", "with the key on disk and nothing sent"),
      killed(at: .createdNotStored, "before-storing", "with a payment made and not stored"),
      killed(at: .idStoredPageNotOpen, "before-page", "with the payment stored and no page open"),
    ] + [killedOnPage, killedAtBank, killedAtBankColdLink, killedConfirming]

  /// The key is the same in the next process, so there is one payment whatever was lost.
  private static func killed(
    at point: CrashPoint, _ name: String, _ when: String
  ) -> MatrixStory {
    MatrixStory(name: "killed-\(name)", title: "Killed \(when); opened again and paid") { scene in
      let app = try await scene.start(stoppingAt: point)
      try await scene.kill(app, at: point)
      let visit = try await scene.opened(try await scene.relaunch())
      let keys = [try await app.checkout(in: "stored"), try await visit.app.checkout(in: "open")]
      try await scene.cast.check("the checkout was \(keys[0]), is \(keys[1])", keys[0] == keys[1])
      return try await scene.payAndComeBack(visit)
    }
  }

  private static let killedOnPage = MatrixStory(
    name: "killed-on-page", title: "Killed with the page open, which lives on or is opened again"
  ) { scene in
    let app = try await scene.start(stoppingAt: .pageOpen)
    try await scene.kill(app, at: .pageOpen)
    let visit = try await scene.opened(app)
    let outlives = scene.row.traits.outlivesProcess
    let page =
      outlives
      ? try await scene.payer.pay(on: try await scene.cast.page(at: visit.url), scene.cast) : nil
    let again = Scene.Visit(app: try await scene.relaunch(), url: visit.url, order: visit.order)
    if let page {
      try await scene.comeBack(to: again.app, from: page)
      try await scene.expectPaid(again.app)
      return visit.order
    }
    return try await scene.payAndComeBack(try await scene.pageAgain(again, isStillUp: false))
  }

  private static let killedAtBank = MatrixStory(
    name: "killed-at-bank",
    title: "Killed while the payer confirms at the bank; opened by its icon"
  ) { scene in
    let visit = try await scene.buy()
    let bank = try await scene.goToBank(visit)
    await scene.cast.kill(visit.app)
    try await scene.payer.confirm(at: bank, scene.cast)
    try await scene.expectPaid(try await scene.relaunch())
    return visit.order
  }

  private static let killedAtBankColdLink = MatrixStory(
    name: "killed-at-bank-cold-link",
    title: "Killed while the payer confirms at the bank; a link opens it again",
    exclusion: needsLinks
  ) { scene in
    let visit = try await scene.buy()
    let bank = try await scene.goToBank(visit)
    await scene.cast.kill(visit.app)
    try await scene.payer.confirm(at: bank, scene.cast)
    let link = try await scene.returnLink(from: try await scene.cast.page(at: visit.url))
    let again = try await scene.relaunch(link: link)
    _ = try await again.event("link taken") { $0["matched"]?.boolean == true }
    try await scene.expectPaid(again)
    return visit.order
  }

  private static let killedConfirming = MatrixStory(
    name: "killed-while-confirming",
    title: "Killed while the app confirms what the provider still works on"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.pay(visit, settledAfter: .milliseconds(1_200))
    await scene.leave(visit.app)
    _ = try await visit.app.event("a read") { $0["event"]?.text == "read" }
    await scene.cast.kill(visit.app)
    try await scene.expectPaid(try await scene.relaunch())
    return visit.order
  }
}
