import CheckoutLifecycle
import PaymentModels
import Testing

// SEB, "Build the request": `verificationKey: payment.verificationKey`; "an empty
// verificationKey … come back through your normal callback rather than showing an empty web view".
@Suite("The secret that SEB has the app hold")
struct VerificationKeyTests {
  private static let seb = ProviderName("seb")

  private func opening(_ key: Secret?, at provider: ProviderName = seb) -> Walked {
    var answer = answer(.created)
    answer.payment.verificationKey = key
    var walked = Walked(newRecord(.webView, at: provider))
    walked.take(.started, .stored(revision: 1), .created(answer), .stored(revision: 2))
    return walked
  }

  @Test func `it is stored with the payment, before the page opens`() {
    let walked = opening(Secret("vk-1"))
    #expect(walked.state.phase == .opening)
    let stored = walked.effects.compactMap {
      if case .store(let record) = $0 { record } else { nil }
    }
    #expect(stored.last?.payment?.verificationKey == Secret("vk-1"))
    let values = stored.last?.fields.filter { $0.field == .verificationKey }.map(\.value)
    #expect(values == ["vk-1"])
  }

  @Test(arguments: [nil, Secret(""), Secret(" ")])
  func `without it the page is not opened`(key: Secret?) {
    #expect(opening(key).state.phase == .blocked(.unusablePayment))
  }

  @Test(arguments: [PaymentStatus.captured, .rejected, .expired, .cancelled])
  func `once settled it is gone, from the state and from what is stored`(status: PaymentStatus) {
    var walked = opening(Secret("vk-1"))
    var proof = answer(status, version: 2)
    proof.payment.verificationKey = Secret("vk-1")
    walked.take(.opened, .stored(revision: 3))
    let effects = walked.take(.serverAnswered(proof))
    #expect(walked.state.record.stage == .settled)
    #expect(walked.state.record.payment?.verificationKey == nil)
    #expect(effects.contains(.store(walked.state.record)))
  }

  @Test func `what no document has the app hold is not kept`() {
    for rule in PresentationRule.all where rule.provider != Self.seb {
      #expect(!rule.holdsVerificationKey)
    }
    let walked = opening(Secret("vk-1"), at: .tabby)
    #expect(walked.state.phase == .opening)
    #expect(walked.state.record.payment?.verificationKey == nil)
  }

  @Test func `nothing prints it`() {
    let walked = opening(Secret("vk-1"))
    #expect(!"\(walked.state) \(walked.effects)".contains("vk-1"))
    #expect(!String(reflecting: walked.state.record).contains("vk-1"))
  }
}
