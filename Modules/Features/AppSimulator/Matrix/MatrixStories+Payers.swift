import StrictJSON

/// The payer taps twice, looks twenty times, or has two phones.
extension MatrixStory {
  static let byPayers = [tappedTwice, lookedTwentyTimes, onTwoPhones]

  private static let tappedTwice = MatrixStory(
    name: "tapped-twice", title: "Pay is tapped three times: one payment, one page"
  ) { scene in
    let app = try await scene.start()
    for _ in 0..<2 { app.tell("tap") }
    let visit = try await scene.opened(app)
    app.tell("tap")
    let order = try await scene.payAndComeBack(visit)
    let keys = await app.events.map(\.json).filter { $0["event"]?.text == "tapped" }
      .compactMap { $0["checkout"]?.text }
    let key = try await app.checkout(in: "open")
    try await scene.cast.check("taps began \(keys), not \(key) again", Set(keys) == [key])
    let pages = await app.events.count { $0.json["event"]?.text == "open" }
    try await scene.cast.check("\(pages) pages were opened", pages == 1)
    return order
  }

  private static let lookedTwentyTimes = MatrixStory(
    name: "twenty-foregrounds",
    title: "The payer leaves and comes to the app twenty times while the provider works"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.pay(visit, settledAfter: .seconds(600))
    await scene.leave(visit.app)
    for _ in 0..<20 {
      visit.app.tell("background")
      visit.app.tell("foreground")
      try await scene.cast.pause(.milliseconds(60))
    }
    // One watcher: one read waits at the server. One that was cut off a moment ago may still wait.
    let stage = scene.cast.stage
    try await scene.cast.until("the server holds one read", within: .seconds(10)) {
      try await stage.heldReads() == 1
    }
    for _ in 0..<10 {
      try await scene.cast.pause(.milliseconds(100))
      let held = try await stage.heldReads()
      try await scene.cast.check("the server holds \(held) reads of one app", held <= 1)
    }
    _ = try await scene.cast.control(
      "/sandbox/clock", .object(["advance_ms": .integer(601_000)]))
    try await scene.expectPaid(visit.app)
    let ends = await visit.app.displays.count { $0 == "succeeded" }
    try await scene.cast.check("the outcome was shown \(ends) times", ends == 1)
    return visit.order
  }

  private static let onTwoPhones = MatrixStory(
    name: "second-device",
    title: "The same payer has the order open on two phones and pays on one; both show it paid"
  ) { scene in
    let visit = try await scene.buy()
    let other = try await scene.opened(
      try await scene.start(["--order", visit.order], on: scene.cast.stage.newPhone()))
    try await scene.cast.check("the order has two pages", other.url == visit.url)
    let order = try await scene.payAndComeBack(visit)
    await scene.switchBack(to: other.app)
    try await scene.expectPaid(other.app)
    return order
  }
}
