import CheckoutLifecycle
import PaymentModels
import Testing

@Suite("Teardown of the page, row by row")
struct TeardownTests {
  private static let tebex = ProviderName("tebex")
  private static let seb = ProviderName("seb")

  private func link(_ kind: CheckoutReturn.Kind) -> CheckoutEvent {
    .returned(CheckoutReturn(kind: kind))
  }

  // Tabby: "Don't tear down the WebView the instant a merchant_url loads — confirm the status".
  @Test func `Tabby in a web view stays until the first answer`() {
    var walked = Walked.presented(.webView)
    #expect(
      walked.take(link(.cancel)) == [
        .signal(.returned(.cancel)), .show(.confirming), .watch,
        .scheduleTeardown(after: .seconds(5)),
      ])
    #expect(walked.take(.serverFailed) == [])
    #expect(walked.take(.serverAnswered(answer(.created, version: 2))) == [.closePage])
    #expect(walked.take(.teardownDue) == [])
  }

  @Test func `Tabby in a web view goes after 5 s without an answer`() {
    var walked = Walked.presented(.webView)
    walked.take(link(.cancel))
    #expect(walked.take(.teardownDue) == [.closePage])
    #expect(walked.take(.serverAnswered(answer(.created, version: 2))) == [])
  }

  // SEB: "The SDK dismisses its own interface before calling you back".
  @Test func `SEB stays while the server is asked, and goes before the result is shown`() {
    var walked = Walked.presented(.webView, at: Self.seb)
    #expect(
      walked.take(link(.success)) == [.signal(.returned(.success)), .show(.confirming), .watch])
    #expect(walked.take(.serverAnswered(answer(.pending, version: 2)), .teardownDue) == [])
    let effects = walked.take(.serverAnswered(answer(.captured, order: .paid, version: 3)))
    #expect(
      effects == [
        .closePage, .stopWatch, .store(walked.state.record), .show(.outcome(.succeeded)),
      ])
  }

  @Test func `SEB goes before also an open end is shown`() {
    var walked = Walked.presented(.webView, at: Self.seb)
    walked.take(link(.success))
    #expect(
      walked.take(.watchCapped) == [.closePage, .show(.outcome(.unresolved(.stillConfirming)))])
  }

  // A web view whose process died still lies over the app.
  @Test(arguments: PresentationRule.all.filter { $0.teardown != .atOnce })
  func `a page that dies while it waits for an answer goes before any result`(
    rule: PresentationRule
  ) {
    var walked = Walked.presented(rule.strategy, at: rule.provider)
    walked.take(link(.success))
    #expect(walked.take(.viewRecreated) == [.closePage, .show(.confirming), .read])
    #expect(walked.take(.viewRecreated) == [.show(.confirming), .read])
    let effects = walked.take(.serverAnswered(answer(.captured, order: .paid, version: 3)))
    #expect(effects.first == .stopWatch && effects.last == .show(.outcome(.succeeded)))
  }

  // Tebex: "When it closes, dismiss and confirm the outcome"; Futa and Raïs: the return itself
  // ends the session.
  @Test(
    arguments: PresentationRule.all.filter { $0.teardown == .atOnce },
    CheckoutReturn.Kind.allCases)
  func `with the return: the page goes first, then the server is asked`(
    rule: PresentationRule, kind: CheckoutReturn.Kind
  ) {
    var walked = Walked.presented(rule.strategy, at: rule.provider)
    #expect(
      walked.take(link(kind)) == [
        .closePage, .signal(.returned(kind)), .show(.confirming), .watch,
      ])
    // The callback may be told twice.
    #expect(walked.take(link(kind)) == [.signal(.returned(kind)), .read])
  }

  @Test func `every row has the teardown of its document`() {
    for rule in PresentationRule.all {
      let expected: PresentationRule.Teardown =
        switch (rule.provider, rule.strategy) {
        case (.tabby, .webView): .afterFirstAnswer(cap: .seconds(5))
        case (Self.seb, _): .beforeResult
        default: .atOnce
        }
      #expect(rule.teardown == expected)
    }
  }

  @Test(arguments: PresentationRule.all)
  func `a proof under the open page closes it before it is shown`(rule: PresentationRule) {
    var walked = Walked.presented(rule.strategy, at: rule.provider)
    let effects = walked.take(.serverAnswered(answer(.rejected, version: 2)))
    #expect(effects.first == .closePage)
    #expect(effects.last == .show(.outcome(.failed(.rejected))))
  }
}
