import CheckoutLifecycle
import PaymentModels
import Testing

@Suite("The page that is opened")
struct OpenedPageTests {
  private static let urls = [
    "https://checkout.example/c/1?s=a%2Fb+c&t=1&t=2#Frag", "HTTPS://Checkout.Example:443/",
    "https://checkout.example", "https://checkout.example//a/../b/./?&&=#", "http://[::1]:8/%zz",
    "https://checkout.example/?u=https%3A%2F%2Fx%2F%3Fa%3Db&language=ar", "https://x.example/?a=b?",
  ]

  private func opened(_ effects: [CheckoutEffect]) -> [String] {
    effects.compactMap { if case .openPage(let url, _) = $0 { url } else { nil } }
  }

  // Futa: "`checkoutUrl` is the payment's `checkout_url` exactly as Futa issued it".
  @Test(arguments: urls)
  func `its address is the one that the server gave, byte for byte, in a new process too`(
    url: String
  ) throws {
    var given = answer(.created)
    given.payment.checkoutURL = url
    var walked = Walked(newRecord(.webView))
    walked.take(.started, .stored(revision: 1), .created(given), .stored(revision: 2))
    #expect(opened(walked.effects) == [url])
    let fields = walked.state.record.fields.map { ($0.field, $0.value) }
    var next = Walked(try CheckoutRecord(fields: Dictionary(uniqueKeysWithValues: fields)))
    given.version = 2
    next.take(.relaunched, .serverAnswered(given), .stored(revision: 3))
    #expect(opened(next.effects) == [url])
  }

  // SEB: "an empty `paymentId` … or a return URL with no scheme".
  @Test func `without an id, or with one way back that leads nowhere, nothing is opened`() {
    var broken = Array(repeating: samplePayment, count: 4)
    broken[0].paymentID = PaymentID("")
    broken[1].returnURLs.success = "checkout/return"
    broken[2].returnURLs.cancel = "checkout/return"
    broken[3].returnURLs.failure = "checkout/return"
    for payment in broken {
      var given = answer(.created)
      given.payment = payment
      var walked = Walked(newRecord())
      walked.take(.started, .stored(revision: 1), .created(given))
      #expect(walked.take(.stored(revision: 2)) == [.show(.notStarted(.unusablePayment))])
    }
  }

  // Raïs: "let them try again by reopening the same checkout_url until expires_at, and create a
  // new payment when it is no longer pending".
  @Test(arguments: [
    (PaymentStatus.expired, CheckoutOutcome.failed(.expired)), (.cancelled, .cancelled),
    (.rejected, .failed(.rejected)), (.captured, .succeeded),
  ])
  func `the page of a payment that is over is not opened again`(
    status: PaymentStatus, outcome: CheckoutOutcome
  ) {
    var walked = Walked.presented(.authSession, at: .rais)
    walked.take(.returned(CheckoutReturn(kind: .cancel)), .started)
    #expect(walked.state.phase == .awaitingPage)
    let effects = walked.take(.serverAnswered(answer(status, version: 5)))
    #expect(opened(effects).isEmpty)
    #expect(effects.last == .show(.outcome(outcome)))
  }
}
