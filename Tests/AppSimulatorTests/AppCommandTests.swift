import AppSimulator
import CheckoutLifecycle
import CommandLineParser
import PaymentModels
import TestSupport
import Testing

@Suite("till-app buy and resume")
struct AppCommandTests {
  private let app = Command<AppInvocation>(
    group: "till-app", "The app", commands: appCommands { invocation, _ in invocation })

  private func invocation(_ arguments: String...) -> AppInvocation? {
    if case .run(let invocation) = app.parse(arguments) { invocation } else { nil }
  }

  @Test func `buy names items, store and where to stop`() {
    let invocation = invocation(
      "buy", "--store", "phone.db", "--item", "tee:2", "--item", "mug", "--strategy", "web_view",
      "--pause-at", "page_open", "--stay")
    let items = [
      CheckoutRequest.Item(productID: "tee", quantity: 2),
      CheckoutRequest.Item(productID: "mug", quantity: 1),
    ]
    #expect(
      invocation?.errand
        == .buy(CheckoutRequest(provider: .tabby, purchase: .items(items)), strategy: .webView))
    #expect(invocation?.store == "phone.db")
    #expect(invocation?.stays == true)
    #expect(invocation?.pausesAt == .pageOpen)
  }

  @Test func `buy takes an order instead of items, and not both or neither`() {
    let order = "0199bbbb-0000-7000-8000-000000000001"
    let request = CheckoutRequest(provider: .tabby, purchase: .order(OrderID(order)))
    #expect(
      invocation("buy", "--store", "s", "--order", order)?.errand == .buy(request, strategy: nil))
    #expect(invocation("buy", "--store", "s", "--order", order, "--item", "mug") == nil)
    #expect(invocation("buy", "--store", "s") == nil)
    #expect(invocation("buy", "--item", "mug") == nil)
    #expect(invocation("buy", "--store", "s", "--item", "mug:x") == nil)
    #expect(invocation("buy", "--store", "s", "--item", "mug:1:2") == nil)
    #expect(invocation("buy", "--store", "s", "--item", ":2") == nil)
    #expect(invocation("buy", "--store", "s", "--item", "mug", "--strategy", "popup") == nil)
    #expect(invocation("buy", "--store", "s", "--item", "mug", "--provider", "tabbi") == nil)
  }

  @Test func `resume takes the store, and a link that the app is started for`() {
    #expect(invocation("resume", "--store", "s")?.errand == .resume)
    #expect(invocation("resume") == nil)
    #expect(
      invocation("resume", "--store", "s", "--link", "shop://pay/success")?.errand
        == .launch(link: "shop://pay/success"))
  }

  @Test func `the words of crash points are frozen`() {
    #expect(
      CrashPoint.allCases.map(\.rawValue) == [
        "intent_stored", "created_not_stored", "id_stored_page_not_open", "page_open",
      ])
  }
}
