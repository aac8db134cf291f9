import CheckoutLifecycle
import PaymentModels
import Testing

@Suite("FB-01 Buyer comes back on the cancel URL, presses Back, then pays")
struct CancelReturnTests {
  @Test(arguments: PresentationStrategy.allCases)
  func `a cancel return asks, and the later payment is shown`(strategy: PresentationStrategy) {
    var walked = Walked.presented(strategy)
    walked.take(.returned(CheckoutReturn(kind: .cancel)))
    #expect(walked.shown == [.confirming])
    #expect(walked.effects.contains(.watch))
    walked.take(.serverAnswered(answer(.created, version: 2)))
    #expect(walked.shown == [.confirming])
    walked.take(.serverAnswered(answer(.authorized, order: .authorized, version: 3)))
    #expect(walked.shown == [.confirming, .outcome(.succeeded)])
  }

  @Test func `paid after the run of reads ended, the next foreground shows it`() {
    var walked = Walked.presented()
    walked.take(.returned(CheckoutReturn(kind: .cancel)), .watchCapped)
    #expect(walked.shown == [.confirming, .outcome(.unresolved(.stillConfirming))])
    #expect(walked.take(.foregrounded).contains(.watch))
    walked.take(.serverAnswered(answer(.captured, order: .paid, version: 3)))
    #expect(walked.shown.last == .outcome(.succeeded))
  }
}

@Suite("Starting and starting again")
struct StartTests {
  @Test func `the page opens only after key and payment are kept, in this order`() {
    var walked = Walked(newRecord())
    #expect(walked.take(.started).last == .store(walked.state.record))
    #expect(walked.take(.stored(revision: 1)) == [.create(walked.state.record)])
    #expect(walked.take(.created(answer(.created))) == [.store(walked.state.record)])
    #expect(walked.state.record.payment?.paymentID == samplePayment.paymentID)
    #expect(walked.take(.stored(revision: 1)) == [])
    #expect(
      walked.take(.stored(revision: 2)) == [
        .openPage(url: "https://checkout.example/A1", strategy: .systemBrowser)
      ])
  }

  @Test func `a payment that is not kept is not opened, and can be taken up again`() {
    var walked = Walked(newRecord())
    walked.take(.started, .stored(revision: 1), .created(answer(.created)))
    #expect(walked.take(.storeFailed(revision: 2)) == [.show(.notStarted(.storage))])
    walked.take(.started, .serverAnswered(answer(.created)), .stored(revision: 3))
    #expect(walked.state.phase == .opening)
  }

  @Test func `a page that could not be shown can be taken up again`() {
    var walked = Walked(newRecord())
    walked.take(.started, .stored(revision: 1), .created(answer(.created)), .stored(revision: 2))
    #expect(walked.take(.openFailed(.other)) == [.show(.notStarted(.page))])
    walked.take(.started, .serverAnswered(answer(.created)), .stored(revision: 3), .opened)
    #expect(walked.state.phase == .presented)
  }

  @Test func `a payment without a page yet is asked about until there is one`() {
    var walked = Walked(newRecord())
    walked.take(.started, .stored(revision: 1), .created(answer(nil, hasPage: false)))
    #expect(walked.take(.stored(revision: 2)) == [.show(.preparing), .watch])
    walked.take(.serverAnswered(answer(.created, version: 2)))
    #expect(walked.take(.stored(revision: 3)).count == 1)
    #expect(walked.state.phase == .opening)
  }

  @Test func `an answer older than the last is passed over`() {
    var walked = Walked.presented()
    walked.take(.closed, .serverAnswered(answer(.created, version: 5)))
    walked.take(.serverAnswered(answer(.expired, version: 4)))
    #expect(walked.state.phase == .confirming(pageIsUp: false))
  }

  @Test func `late money turns a proven failure into a success`() {
    var walked = Walked.presented()
    walked.take(.closed, .serverAnswered(answer(.expired, version: 2)))
    #expect(walked.shown.last == .outcome(.failed(.expired)))
    #expect(walked.take(.returned(CheckoutReturn(kind: .success))).contains(.read))
    walked.take(.serverAnswered(answer(.authorized, order: .authorized, version: 3)))
    #expect(walked.shown.last == .outcome(.succeeded))
  }

  @Test func `an order under review is never shown as failed`() {
    var walked = Walked.presented()
    walked.take(.closed, .serverAnswered(answer(.rejected, order: .needsReview, version: 2)))
    #expect(walked.shown.last == .outcome(.unresolved(.underReview)))
  }
}
