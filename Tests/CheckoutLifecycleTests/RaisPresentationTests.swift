import CheckoutLifecycle
import PaymentModels
import Testing

// The rules of "Mobile and app integrations" for the app.
@Suite("Raïs: the secure browser, and links that prove nothing")
struct RaisPresentationTests {
  private static let providerID = ProviderPaymentID("5b1c2f4e-9d3a-4c61-8a7e-0f2d6b9e1a33")

  private func record(
    success: String = "myapp://pay/result", cancel: String = "myapp://pay/cancelled"
  ) -> CheckoutRecord {
    var record = CheckoutRecord(
      key: CheckoutKey("k"),
      request: CheckoutRequest(
        provider: .rais, purchase: .items([CheckoutRequest.Item(productID: "p", quantity: 1)])),
      strategy: .systemBrowser, createdAt: Instant(milliseconds: 0))
    record.stage = .opened
    record.payment = CheckoutPayment(
      paymentID: PaymentID("01936f5e-8a00-7000-8000-0000000000b1"), orderID: OrderID("o"),
      providerPaymentID: Self.providerID, checkoutURL: "https://pay.rais.app/c/1",
      returnURLs: ReturnURLs(success: success, cancel: cancel, failure: cancel))
    return record
  }

  @Test func `the secure browser is recommended and a plain web view refused`() {
    #expect(PresentationRule.recommended(for: .rais) == .authSession)
    #expect(PresentationRule.recommended(for: .rais, on: .android) == .customTab)
    #expect(PresentationRule.rule(provider: .rais, strategy: .webView) == nil)
    let refusal = PresentationRefusal.refusal(provider: .rais, strategy: .webView)
    #expect(refusal?.reason.contains("not a plain WebView") == true)
    #expect(PresentationRefusal.refusal(provider: .rais, strategy: .systemBrowser) == nil)
  }

  // The link of the document, as it stands there.
  @Test func `the documented link is the success return and names the payment`() throws {
    let link = try #require(
      record().match(
        "myapp://pay/result?payment_id=5b1c2f4e-9d3a-4c61-8a7e-0f2d6b9e1a33&status=paid"
          + "&reference=order-1042&order_number=RS12AB34CD"))
    #expect(link.kind == .success)
    #expect(link.parameters.map(\.name) == ["payment_id", "status", "reference", "order_number"])
    #expect(record().aim(of: link) == .named)
  }

  @Test func `a session of the page waits for the scheme of the returns, and for no address`() {
    #expect(record().callbackScheme == "myapp")
    #expect(record(success: "https://shop.example/result").callbackScheme == nil)
    #expect(record(cancel: "other://pay/cancelled").callbackScheme == nil)
  }

  @Test func `result and cancelled are told apart by host and path`() {
    #expect(record().match("myapp://pay/cancelled?status=pending")?.kind == .cancel)
    #expect(record().match("myapp://pay/result")?.kind == .success)
    for other in ["myapp://pay", "myapp://pay/resultx", "myapp://result", "myapp:/pay/result"] {
      #expect(record().match(other) == nil)
    }
  }

  @Test(arguments: [
    (
      "payment_id=00000000-9d3a-4c61-8a7e-0f2d6b9e1a33&status=paid",
      CheckoutRecord.ReturnAim.another
    ),
    ("payment_id=&status=paid", .another), ("status=paid", .open), ("order_number=RS1", .open),
    ("payment_id=5b1c2f4e%2D9d3a-4c61-8a7e-0f2d6b9e1a33&x=%C3%A9&y", .named),
  ])
  func `a link is this payment's only by its id`(query: String, aim: CheckoutRecord.ReturnAim)
    throws
  {
    let link = try #require(record().match("myapp://pay/result?\(query)"))
    #expect(record().aim(of: link) == aim)
  }

  @Test(arguments: [CheckoutReturn.Kind.success, .cancel])
  func `no link and no closed sheet shows an outcome`(kind: CheckoutReturn.Kind) {
    var state = CheckoutState(record: record())
    let link = CheckoutReturn(
      kind: kind, parameters: [CheckoutReturn.Parameter(name: "status", value: "paid")])
    for event in [CheckoutEvent.relaunched, .returned(link), .closed, .foregrounded] {
      let step = state.after(event)
      for effect in step.effects {
        if case .show(.outcome(let outcome)) = effect { Issue.record("showed \(outcome)") }
      }
      #expect(step.effects.contains(.watch) || step.effects.contains(.read))
      state = step.state
    }
  }
}
