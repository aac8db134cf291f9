import CheckoutLifecycle
import PaymentModels
import Testing

@Suite("The tables of presentations")
struct PresentationTableTests {
  private static let tebex = ProviderName("tebex")
  private static let seb = ProviderName("seb")

  @Test func `each strategy has one row, and the row is of one mind`() {
    #expect(
      Set(PresentationTraits.all.map(\.strategy)) == Set(PresentationStrategy.allCases))
    #expect(PresentationTraits.all.count == PresentationStrategy.allCases.count)
    for row in PresentationTraits.all {
      #expect(!row.platforms.isEmpty)
      #expect(row.gives.contains(.opened) && row.gives.contains(.openFailed))
      #expect(Set(row.repeats).isSubset(of: row.gives), "only what comes can come twice")
      // Who sees navigations sees pages speak, and must draw the way out.
      #expect(row.gives.contains(.wentOutside) == (row.chrome == .app))
      #expect(row.permissions == row.chrome)
      #expect(!row.outlivesProcess || row.outlivesView)
    }
  }

  // FB-20: "a browser session closed by switching to an authenticator app was reported as
  // dismissed although the user had approved".
  @Test func `a session may tell of a close that was none`() {
    #expect(PresentationStrategy.authSession.traits.invents == [.closed])
  }

  // Tebex: "can only intercept a custom scheme, not an https URL".
  @Test func `a session alone needs a scheme of the app's own`() {
    for strategy in PresentationStrategy.allCases {
      #expect(strategy.traits.matchesHTTPSReturns == (strategy != .authSession))
    }
  }

  @Test(
    arguments: [
      (ProviderName.tabby, PresentationStrategy.systemBrowser, PresentationStrategy.systemBrowser),
      (tebex, .authSession, .webView), (.futa, .webView, .webView),
      (.rais, .authSession, .customTab), (seb, .webView, .webView),
    ])
  func `the kit recommends what the document recommends`(
    provider: ProviderName, onIOS: PresentationStrategy, onAndroid: PresentationStrategy
  ) {
    #expect(PresentationRule.recommended(for: provider) == onIOS)
    #expect(PresentationRule.recommended(for: provider, on: .iOS) == onIOS)
    #expect(PresentationRule.recommended(for: provider, on: .android) == onAndroid)
  }

  @Test func `no pair stands twice, and every row says why`() {
    let rules = PresentationRule.all.map { "\($0.provider) \($0.strategy)" }
    let refusals = PresentationRefusal.all.map { "\($0.provider) \($0.strategy)" }
    #expect(Set(rules + refusals).count == rules.count + refusals.count)
    for reason in PresentationRule.all.map(\.reason) + PresentationRefusal.all.map(\.reason) {
      #expect(reason.hasSuffix("."))
    }
  }

  @Test(arguments: [(ProviderName.rais, PresentationStrategy.webView), (tebex, .safariView)])
  func `what a document rules out has no rule, and a reason`(
    provider: ProviderName, strategy: PresentationStrategy
  ) {
    #expect(PresentationRule.rule(provider: provider, strategy: strategy) == nil)
    #expect(PresentationRefusal.refusal(provider: provider, strategy: strategy) != nil)
  }
}

@Suite("A page that does not open")
struct NotOpenedTests {
  @Test(
    arguments: [
      (PresentationFailure.notOnScreen, CheckoutObstacle.notOnScreen), (.busy, .busy),
      (.noBrowser, .noBrowser), (.other, .page),
    ])
  func `nothing was opened, and the checkout can be taken up again`(
    failure: PresentationFailure, obstacle: CheckoutObstacle
  ) {
    var walked = Walked(newRecord())
    walked.take(.started, .stored(revision: 1), .created(answer(.created)), .stored(revision: 2))
    #expect(walked.take(.openFailed(failure)) == [.show(.notStarted(obstacle))])
    #expect(walked.state.record.stage == .created)
    walked.take(.started, .serverAnswered(answer(.created)), .stored(revision: 3), .opened)
    #expect(walked.state.phase == .presented)
    #expect(walked.effects.count { if case .create = $0 { true } else { false } } == 1)
  }

  // FB-15: the page that an earlier tap opened may have been paid on since.
  @Test(arguments: [CheckoutEvent.foregrounded, .pushed])
  func `what wakes the app asks about it all the same`(waker: CheckoutEvent) {
    var walked = Walked.presented()
    walked.take(.closed, .started, .serverAnswered(answer(.pending, version: 5)))
    walked.take(.stored(revision: 4), .openFailed(.busy))
    #expect(walked.state.phase == .blocked(.busy))
    #expect(walked.take(waker).last == .read)
    #expect(walked.state.phase == .blocked(.busy))
    let effects = walked.take(.serverAnswered(answer(.captured, order: .paid, version: 6)))
    #expect(effects.last == .show(.outcome(.succeeded)))
  }

  @Test func `who has signed out, or has no payment yet, is not asked about`() {
    var walked = Walked.presented()
    walked.take(.closed, .started, .signedOut)
    #expect(walked.state.phase == .blocked(.signInNeeded))
    #expect(walked.take(.foregrounded, .pushed) == [])
    var other = Walked(newRecord())
    other.take(.started, .stored(revision: 1), .createFailed(.unreachable))
    #expect(other.take(.foregrounded, .pushed) == [])
  }

  // Tebex: "can only intercept a custom scheme, not an https URL".
  @Test(arguments: ["https://shop.example/r", "otherapp://r"])
  func `a session that could not end at a way back is not opened`(wayBack: String) {
    var given = answer(.created)
    given.payment.returnURLs.cancel = wayBack
    for strategy in [PresentationStrategy.authSession, .customTab] {
      var walked = Walked(newRecord(strategy, at: .rais))
      walked.take(.started, .stored(revision: 1), .created(given), .stored(revision: 2))
      let isSession = strategy == .authSession
      #expect(walked.state.phase == (isSession ? .blocked(.unusablePayment) : .opening))
    }
  }

  // SEB: "a checkout URL that is not http/https, or a return URL with no scheme all come back
  // through your normal callback rather than showing an empty web view".
  @Test(
    arguments: [
      ("myapp://checkout", "myapp://r"), ("javascript:alert(1)", "myapp://r"), ("", "myapp://r"),
      ("checkout.example/A1", "myapp://r"), ("https://checkout.example/A1", "r"),
      ("https://checkout.example/A1", "//shop.example/r"), ("https://checkout.example/A1", ""),
    ])
  func `what could show nothing is not opened`(page: String, wayBack: String) {
    var answer = answer(.created)
    answer.payment.checkoutURL = page
    answer.payment.returnURLs.success = wayBack
    var walked = Walked(newRecord())
    walked.take(.started, .stored(revision: 1), .created(answer))
    #expect(walked.take(.stored(revision: 2)) == [.show(.notStarted(.unusablePayment))])
  }
}

@Suite("Signals that are only hints")
struct HintTests {
  // The payer may still want the receipt.
  @Test func `a page that says final stays, and the server hears of it`() {
    var walked = Walked.presented(.webView, at: .futa)
    #expect(walked.take(.pageSpoke(isFinal: false)) == [])
    #expect(walked.take(.pageSpoke(isFinal: true)) == [.signal(.pageFinal)])
    #expect(walked.state.phase == .presented)
  }

  @Test func `however often a page says final, the server hears of it once a page`() {
    var walked = Walked.presented(.webView, at: .futa)
    for _ in 0..<1_000 { walked.take(.pageSpoke(isFinal: true), .pageSpoke(isFinal: false)) }
    #expect(walked.effects == [.signal(.pageFinal)])
    // Another page of the same payment is news again.
    walked.take(.closed, .started, .serverAnswered(answer(.pending, version: 9)))
    walked.take(.stored(revision: walked.state.record.revision), .opened)
    #expect(walked.state.phase == .presented)
    #expect(walked.take(.pageSpoke(isFinal: true)) == [.signal(.pageFinal)])
    #expect(walked.take(.pageSpoke(isFinal: true)) == [])
  }

  // FB-18: "session stays alive and state left for bank app".
  @Test func `a payer who was handed to another app is still on the page`() {
    var walked = Walked.presented(.webView)
    #expect(walked.take(.wentOutside) == [.signal(.wentOutside)])
    #expect(walked.state.phase == .presented)
    #expect(walked.take(.foregrounded) == [.signal(.foregrounded), .read])
  }

  // The payer sees the app, so the browser with the page is behind it.
  @Test(arguments: [PresentationStrategy.systemBrowser, .customTab])
  func `a browser of its own is left when the app is in front again`(
    strategy: PresentationStrategy
  ) {
    var walked = Walked.presented(strategy)
    #expect(
      walked.take(.foregrounded) == [.signal(.foregrounded), .show(.confirming), .watch])
    // The payer may go back to it and pay: what the server does not know yet ends nothing.
    #expect(walked.take(.serverAnswered(answer(.pending, version: 5))) == [])
    #expect(walked.take(.foregrounded) == [.signal(.foregrounded), .read])
    var again = walked
    #expect(again.take(.started) == [.closePage, .show(.preparing), .watch])
    let link = CheckoutReturn(kind: .success)
    #expect(walked.take(.returned(link)).first == .closePage)
    #expect(walked.state.phase == .confirming(pageIsUp: false))
  }

  @Test func `a push asks, and starts another run of reads after the last has ended`() {
    var walked = Walked.presented()
    #expect(walked.take(.pushed) == [.read])
    walked.take(.closed, .watchCapped)
    #expect(walked.take(.pushed) == [.show(.confirming), .watch])
  }

  @Test func `who signs out is shown and asked about no more, and nothing is lost`() {
    var walked = Walked.presented(.webView)
    let effects = walked.take(.signedOut)
    #expect(
      effects == [.closePage, .stopWatch, .show(.outcome(.unresolved(.stillConfirming)))])
    #expect(walked.state.record.stage == .opened)
    #expect(walked.take(.signedOut) == [.stopWatch])
    #expect(walked.take(.foregrounded).contains(.watch))
  }

  @Test func `who signs out before there is a page starts under the same key`() {
    var walked = Walked(newRecord())
    walked.take(.started, .stored(revision: 1))
    #expect(walked.take(.signedOut) == [.show(.notStarted(.signInNeeded))])
    #expect(walked.take(.created(answer(.created))) == [])
    walked.take(.started)
    #expect(walked.take(.stored(revision: 1)) == [.create(walked.state.record)])
  }
}
