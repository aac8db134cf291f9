import StrictJSON

/// The way back to the app: followed, lost, late, repeated, somebody else's.
extension MatrixStory {
  static let atReturns = [
    paidAndBack, linkLost, linkLate, linkThreeTimes, olderPaymentsLink, coldLinkFirst,
    closedUnpaid, closedTooEarly, closedUntold,
  ]

  private static let paidAndBack = MatrixStory(
    name: "paid-and-back", title: "Paid, and led back by the page"
  ) { scene in
    try await scene.payAndComeBack(try await scene.buy())
  }

  private static let linkLost = MatrixStory(
    name: "link-lost", title: "Paid; no return ever comes, the payer switches back to the app"
  ) { scene in
    let visit = try await scene.buy()
    _ = try await scene.pay(visit)
    await scene.switchBack(to: visit.app)
    try await scene.expectPaid(visit.app)
    return visit.order
  }

  private static let linkLate = MatrixStory(
    name: "link-late", title: "Paid and shown so; the link comes after that",
    exclusion: needsLinks
  ) { scene in
    let visit = try await scene.buy(["--item", scene.facts.product], ["--stay"])
    let page = try await scene.pay(visit)
    await scene.leave(visit.app)
    try await scene.expectPaid(visit.app)
    try await scene.comeBack(to: visit.app, from: page)
    _ = try await visit.app.event("link taken") { $0["matched"]?.boolean == true }
    return visit.order
  }

  private static let linkThreeTimes = MatrixStory(
    name: "link-three-times", title: "Paid; the return comes three times",
    exclusion: needsRepeats
  ) { scene in
    let visit = try await scene.buy(["--item", scene.facts.product], ["--stay"])
    let link = try await scene.returnLink(from: try await scene.pay(visit))
    for _ in 0..<3 { scene.deliver(link, to: visit.app) }
    try await scene.expectPaid(visit.app)
    return visit.order
  }

  private static let olderPaymentsLink = MatrixStory(
    name: "older-payments-link",
    title: "The return of an older, unpaid payment comes while a newer checkout is open",
    exclusion: needsForeignReturns
  ) { scene in
    let older = try await scene.buy(["--item", "\(scene.facts.product):2"])
    let page = try await scene.cast.page(at: older.url)
    await scene.cast.kill(older.app)
    let visit = try await scene.buy()
    let keys = [try await older.app.checkout(in: "open"), try await visit.app.checkout(in: "open")]
    let link = try await scene.cast.cancelLink(of: older.order, on: page, scene.facts)
    scene.deliver(link, to: visit.app)
    // A session that ends at somebody else's return has ended, and no more than that.
    let isUp = scene.row.strategy.returnWay == .link
    if isUp {
      _ = try await visit.app.event("the older payment is asked about") {
        $0["checkout"]?.text == keys[0] && $0["display"]?.text == "confirming"
      }
    }
    try await scene.cast.expectNoEnd(of: visit.app, for: .milliseconds(500))
    if isUp {
      let shown = await visit.app.displays(of: keys[1])
      try await scene.cast.check("the newer checkout shows \(shown)", Set(shown) == ["preparing"])
    }
    let told = await visit.app.signals(about: visit.order)
    try await scene.cast.check(
      "the server heard of the newer one: \(told)", told == ["opened"] + (isUp ? [] : ["closed"]))
    let order = try await scene.payAndComeBack(try await scene.pageAgain(visit, isStillUp: isUp))
    let ends = await visit.app.displays(of: keys[0]).filter { $0 != "confirming" }
    try await scene.cast.check("the older checkout shows \(ends)", ends.isEmpty)
    let paid = await visit.app.displays(of: keys[1])
    try await scene.cast.check("the newer checkout shows \(paid)", paid.last == "succeeded")
    try await scene.cast.expectState("pending", of: older.order)
    return order
  }

  private static let coldLinkFirst = MatrixStory(
    name: "cold-link-first",
    title: "Killed on the page, paid; the link starts the app and comes before its store is read",
    exclusion: needsLinks
  ) { scene in
    let visit = try await scene.buy()
    await scene.cast.kill(visit.app)
    let page = try await scene.payer.pay(on: try await scene.cast.page(at: visit.url), scene.cast)
    let again = try await scene.relaunch(link: try await scene.returnLink(from: page))
    _ = try await again.event("link taken") { $0["matched"]?.boolean == true }
    try await scene.expectPaid(again)
    return visit.order
  }

  private static let closedUnpaid = MatrixStory(
    name: "closed-unpaid",
    title: "Left before paying: neither failed nor cancelled, and the same page pays later"
  ) { scene in
    let visit = try await scene.buy()
    _ = try await scene.look(visit)
    await scene.leave(visit.app)
    try await scene.cast.expectNoEnd(of: visit.app, for: .milliseconds(700))
    let isUp = !scene.row.tellsOfClosing
    return try await scene.payAndComeBack(try await scene.pageAgain(visit, isStillUp: isUp))
  }

  private static let closedTooEarly = MatrixStory(
    name: "closed-while-provider-works",
    title: "Paid and left while the provider still works on it"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.pay(visit, settledAfter: .milliseconds(1_200))
    await scene.leave(visit.app)
    try await scene.expectPaid(visit.app)
    return visit.order
  }

  private static let closedUntold = MatrixStory(
    name: "closed-and-webhook-lost",
    title: "Paid and left on the last page, no webhook: one read tells it"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.cast.setFaults(visit.order, .object(["drop_webhooks": .bool(true)]))
    _ = try await scene.pay(visit)
    await scene.leave(visit.app)
    try await scene.expectPaid(visit.app)
    try await scene.cast.expectPaid(visit.order, byWebhook: false)
    return visit.order
  }
}
