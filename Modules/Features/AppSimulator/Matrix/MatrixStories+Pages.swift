import CheckoutLifecycle
import StrictJSON

/// The page is rebuilt, ends, is cancelled, refuses, or speaks another language.
extension MatrixStory {
  static let atPages = [
    rotated, expired, cancelled, triedAgain, refused, inArabic,
  ]

  private static let rotated = MatrixStory(
    name: "rotated", title: "The phone is turned while the page is open"
  ) { scene in
    let visit = try await scene.buy()
    _ = try await scene.look(visit)
    await scene.cast.say(.payer, "turns the phone")
    visit.app.tell("rotate")
    if !scene.row.traits.outlivesView {
      let url = try await scene.cast.page(of: visit.app, after: 1)
      try await scene.cast.check("the page is \(url), not \(visit.url)", url == visit.url)
    }
    return try await scene.payAndComeBack(visit)
  }

  private static let expired = MatrixStory(
    name: "expired-then-paid",
    title: "The page expires under the payer; a second attempt at the order is paid",
    end: .paidAtSecondTry, exclusion: needsExpiry
  ) { scene in
    let visit = try await scene.buy()
    _ = try await scene.look(visit)
    try await scene.cast.setStatus(of: visit.order, scene.facts.expired ?? "")
    try await scene.comeBack(to: visit.app, from: try await scene.cast.page(at: visit.url))
    try await scene.cast.expectOutcome("expired", of: visit.app)
    let second = try await scene.buy(["--order", visit.order])
    try await scene.cast.check("the second attempt has the first page", second.url != visit.url)
    return try await scene.payAndComeBack(second)
  }

  private static let cancelled = MatrixStory(
    name: "cancelled-then-paid",
    title: "Cancelled, which ends nothing at the provider; the same page pays"
  ) { scene in
    let visit = try await scene.buy()
    let page = try await scene.look(visit)
    let link = try await scene.cast.cancelLink(of: visit.order, on: page, scene.facts)
    scene.deliver(link, to: visit.app)
    _ = try await visit.app.event("confirming") { $0["display"]?.text == "confirming" }
    try await scene.cast.expectNoEnd(of: visit.app, for: .milliseconds(400))
    return try await scene.payAndComeBack(try await scene.pageAgain(visit, isStillUp: false))
  }

  private static let triedAgain = MatrixStory(
    name: "declined-then-paid", title: "One try is declined on the page, the next one is paid"
  ) { scene in
    let visit = try await scene.buy()
    try await scene.payer.failOnce(on: try await scene.look(visit), scene.cast)
    try await scene.cast.expectNoEnd(of: visit.app, for: .milliseconds(700))
    return try await scene.payAndComeBack(visit)
  }

  private static let refused = MatrixStory(
    name: "refused-for-good", title: "Refused for good, and shown so once that is proven",
    end: .refused, exclusion: needsRefusal
  ) { scene in
    let visit = try await scene.buy(as: scene.facts.refusedPayer)
    try await scene.payer.beRefused(
      on: try await scene.look(visit), order: visit.order, scene.cast)
    try await scene.comeBack(to: visit.app, from: try await scene.cast.page(at: visit.url))
    try await scene.cast.expectOutcome("rejected", of: visit.app)
    return visit.order
  }

  private static let inArabic = MatrixStory(
    name: "language-ar", title: "A shop in Arabic: the page speaks it where the provider does",
    settings: StageSettings(language: "ar")
  ) { scene in
    let visit = try await scene.buy()
    let page = try await scene.look(visit)
    let speaks = page.html.contains("<html lang=\"ar\" dir=\"rtl\">")
    try await scene.cast.check(
      "the page is \(speaks ? "" : "not ")in Arabic", speaks == scene.facts.speaksArabic)
    try await scene.comeBack(
      to: visit.app, from: try await scene.payer.pay(on: page, scene.cast))
    try await scene.expectPaid(visit.app)
    return visit.order
  }
}
