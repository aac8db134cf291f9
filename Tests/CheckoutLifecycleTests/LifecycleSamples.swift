import CheckoutLifecycle
import PaymentModels
import TestSupport

let samplePayment = CheckoutPayment(
  paymentID: PaymentID("0199cccc-0000-7000-8000-000000000001"),
  orderID: OrderID("0199bbbb-0000-7000-8000-000000000001"),
  providerPaymentID: ProviderPaymentID("pay_A1"), checkoutURL: "https://checkout.example/A1",
  returnURLs: ReturnURLs(
    success: "myapp://pay/success", cancel: "myapp://pay/cancel", failure: "myapp://pay/failure"),
  verificationKey: Secret("vk-1"))

func answer(
  _ status: PaymentStatus?, order: OrderState = .pending, version: Int64 = 1, hasPage: Bool = true,
  payment: PaymentID = samplePayment.paymentID
) -> PaymentAnswer {
  var known = samplePayment
  known.paymentID = payment
  if !hasPage { known.checkoutURL = nil }
  return PaymentAnswer(payment: known, status: status, orderState: order, version: version)
}

func newRecord(
  _ strategy: PresentationStrategy = .systemBrowser, stage: CheckoutRecord.Stage = .intent,
  at provider: ProviderName = .tabby
) -> CheckoutRecord {
  var record = CheckoutRecord(
    key: CheckoutKey("0199aaaa-0000-7000-8000-000000000001"),
    request: CheckoutRequest(
      provider: provider,
      purchase: .items([CheckoutRequest.Item(productID: "mug", quantity: 1)])),
    strategy: strategy, createdAt: Instant(milliseconds: 1_790_000_000_000))
  record.stage = stage
  if stage != .intent { record.payment = samplePayment }
  if stage == .settled { record.outcome = .failed(.expired) }
  if stage == .settled || provider != ProviderName("seb") { record.payment?.verificationKey = nil }
  return record
}

/// A state after a row of events, and all effects on the way.
struct Walked {
  var state: CheckoutState
  var effects: [CheckoutEffect] = []

  init(_ record: CheckoutRecord) { state = CheckoutState(record: record) }

  /// Takes the events and returns what only they have caused.
  @discardableResult
  mutating func take(_ events: CheckoutEvent...) -> [CheckoutEffect] {
    var caused: [CheckoutEffect] = []
    for event in events {
      let step = state.after(event)
      state = step.state
      caused += step.effects
    }
    effects += caused
    return caused
  }

  /// A checkout whose page is on the screen.
  static func presented(
    _ strategy: PresentationStrategy = .systemBrowser, at provider: ProviderName = .tabby
  ) -> Walked {
    var walked = Walked(newRecord(strategy, at: provider))
    walked.take(.started, .stored(revision: 1), .created(answer(.created)), .stored(revision: 2))
    walked.take(.opened, .stored(revision: 3))
    walked.effects = []
    return walked
  }

  var shown: [CheckoutDisplay] {
    effects.compactMap { if case .show(let display) = $0 { display } else { nil } }
  }
}
