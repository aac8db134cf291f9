@testable import Bootstrap
import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import TestSupport
import Testing

/// A provider, what to buy there, and how its page is gone through.
struct PlantedBuy: Sendable, CustomTestStringConvertible {
  let provider: String
  let product: String
  /// What the payer types into the provider's page: cards and numbers.
  let typed: [String]
  let pay: @Sendable (inout Browser, String) async -> Void
  var testDescription: String { provider }

  static let all = [
    PlantedBuy(provider: "tabby", product: "lamp", typed: []) { browser, page in
      await browser.pay(page)
    },
    PlantedBuy(provider: "futa", product: "solar", typed: ["0810000001"]) { browser, page in
      await browser.open(page)
      await browser.submit(["msisdn": "0810000001"])
    },
    PlantedBuy(provider: "rais", product: "radio", typed: ["4000000000000001"]) { browser, page in
      await browser.open(page)
      await browser.submit(["card_number": "4000000000000001"])
      await browser.submit(["otp": "1234"])
    },
    PlantedBuy(provider: "tebex", product: "6276316", typed: []) { browser, page in
      await browser.open(page)
      await browser.submit(["method": "test"])
    },
    PlantedBuy(provider: "seb", product: "sauna", typed: ["5186000000000005"]) { browser, page in
      await browser.open(page)
      await browser.follow("card")
      await browser.submit(["card_number": "5186000000000005"])
      await browser.submit(["otp": "1234"])
    },
  ]

  var body: String {
    #"{"provider":"\#(provider)","items":[{"product_id":"\#(product)","quantity":1}]}"#
  }
}

@Suite("Secrets and buyers stand in nothing that is written down or told")
struct LeakTests {
  @Test(arguments: PlantedBuy.all)
  func `a whole payment, from the checkout to the refund`(buy: PlantedBuy) async throws {
    try await PlantedStack.run { stack in
      let payment = try await bought(buy, stack)
      try await tellAll(payment, stack)
      try expectNothing(of: buy, in: stack)
      // The buyer and the keys were really there to be seen.
      let sent = stack.transport.sent.map {
        String(decoding: $0.body, as: UTF8.self) + "\($0.headers)"
      }.joined()
      if ["tabby"].contains(buy.provider) { #expect(sent.contains("Quixworth")) }
      #expect(
        secrets(stack.shop).contains { sent.contains($0) } || buy.provider == "tebex")
      #expect(stack.log.text.contains(payment))
    }
  }

  @Test(
    arguments: PlantedBuy.all, [PlantedStack.Answers.refusal, .page, .cut])
  func `a provider that says everything back`(
    buy: PlantedBuy, answers: PlantedStack.Answers
  ) async throws {
    try await PlantedStack.run { stack in
      let shop = stack.shop
      // One payment that was made before, whose reads and refund get the same answers.
      let earlier = try await bought(buy, stack)
      stack.answer(answers)
      let checkout = try await stack.send(
        "POST", "/v1/checkouts", token: shop.token(.approved).reveal(), key: "k2", body: buy.body)
      _ = try await stack.send(
        "POST", "/v1/payments/\(earlier)/refunds", token: shop.operatorKey.reveal(), key: "r2",
        body: #"{"reason":"asked for"}"#)
      _ = try await stack.send(
        "GET", "/v1/payments/\(earlier)", token: shop.token(.approved).reveal())
      for _ in 0..<100 { await stack.pause(.milliseconds(500)) }
      if let made = try? JSONValue(parsing: checkout.body)["payment_id"]?.text {
        try await tellAll(made, stack)
      }
      try await tellAll(earlier, stack)
      try expectNothing(of: buy, in: stack)
      #expect(!stack.log.facts("a create brought no payment", "error").isEmpty)
    }
  }

  @Test func `requests and deliveries of strangers`() async throws {
    try await PlantedStack.run { stack in
      let buyer = JSONValue.object(
        PlantedStack.buyer.sorted { $0.key < $1.key }.map {
          JSONMember(name: $0.key, value: .string($0.value))
        })
      let text = String(decoding: buyer.serialized(), as: UTF8.self)
      let secret = stack.shop.tabbyKey.reveal()
      for provider in PlantedBuy.all.map(\.provider) {
        for body in [text, String(text.dropLast()), "[\(text)]", secret] {
          _ = try await stack.send(
            "POST", "/webhooks/\(provider)", token: secret, body: body,
            headers: [
              "X-Signature": secret, "X-Webhook-Signature": secret,
              DemoShop.webhookHeader: secret,
            ])
        }
      }
      for token in [nil, secret, stack.shop.token(.approved).reveal()] {
        for body in [text, String(text.dropLast()), #"{"provider":\#(text)}"#] {
          _ = try await stack.send(
            "POST", "/v1/checkouts", token: token, key: "k1", body: body)
        }
        _ = try await stack.send("GET", "/v1/payments?before=\(secret)", token: token)
        _ = try await stack.send("GET", "/v1/payments/\(secret)", token: token)
        _ = try await stack.send("GET", "/\(secret)/Quixworth", token: token)
      }
      for buy in PlantedBuy.all { try expectNothing(of: buy, in: stack) }
    }
  }

  @Test func `settings print no secret`() async throws {
    try await PlantedStack.run { stack in
      let configuration = try ServerConfiguration(
        file: stack.shop.configurationFile, environment: stack.shop.environment)
      var dumped = "\(configuration)"
      dump(configuration, to: &dumped)
      for secret in secrets(stack.shop) { #expect(!dumped.contains(secret)) }
    }
  }

  // MARK: Parts

  /// Buys, pays at the provider's page and waits until the order is paid; the payment's id.
  private func bought(_ buy: PlantedBuy, _ stack: PlantedStack) async throws -> String {
    let token = stack.shop.token(.approved).reveal()
    let answer = try await stack.send(
      "POST", "/v1/checkouts", token: token, key: "k1", body: buy.body)
    let json = try JSONValue(parsing: answer.body)
    let payment = try #require(json["payment_id"]?.text, "\(json)")
    let page = try #require(json["checkout_url"]?.text, "\(json)")
    _ = try await stack.send(
      "POST", "/v1/payments/\(payment)/signals", token: token, body: #"{"signal":"opened"}"#)
    let transport = stack.transport
    try await stack.moving {
      var browser = Browser(transport, origin: PlantedStack.sandboxURL)
      await buy.pay(&browser, page)
    }
    try await stack.until("\(buy.provider) is paid") {
      let shown = try await stack.send("GET", "/v1/payments/\(payment)", token: token)
      return try JSONValue(parsing: shown.body)["state"]?.text == "captured"
    }
    return payment
  }

  /// Has the server tell the staff and the monitoring all that it knows, and give money back.
  private func tellAll(_ payment: String, _ stack: PlantedStack) async throws {
    let boss = stack.shop.operatorKey.reveal()
    _ = try await stack.send(
      "POST", "/v1/payments/\(payment)/refunds", token: boss, key: "r1",
      body: #"{"reason":"asked for"}"#)
    for _ in 0..<20 { await stack.pause(.milliseconds(500)) }
    let shown = try await stack.send("GET", "/v1/payments/\(payment)", token: boss)
    if let order = try JSONValue(parsing: shown.body)["order_id"]?.text {
      _ = try await stack.send("GET", "/v1/orders/\(order)", token: boss)
      let journal = try await stack.send("GET", "/v1/orders/\(order)/journal", token: boss)
      #expect(journal.status == 200)
    }
    for path in ["/v1/payments", "/v1/webhooks", "/metrics", "/readyz"] {
      #expect(try await stack.send("GET", path, token: boss).status == 200)
    }
  }

  private func expectNothing(of buy: PlantedBuy, in stack: PlantedStack) throws {
    let forbidden = PlantedStack.buyerWords + buy.typed + secrets(stack.shop)
    for text in stack.told {
      let folded = text.lowercased()
      for word in forbidden where folded.contains(word.lowercased()) {
        let place = folded.firstRange(of: word.lowercased()).map {
          String(folded[..<$0.lowerBound].suffix(200))
        }
        Issue.record("\(word) stands behind: \(place ?? "")")
      }
    }
  }

  private func secrets(_ shop: DemoShop) -> [String] {
    shop.environment.sorted { $0.key < $1.key }.map(\.value)
      + DemoShop.Payer.allCases.map { shop.token($0).reveal() }
  }
}
