import AppSimulator
import CheckoutLifecycle
import CheckoutSession
import FoundationEssentials
import HTTPExchange
import MerchantClient
import PaymentModels
import SQLiteConnection
import SQLiteDeviceStore
import StrictJSON
import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

/// A way of showing a provider's page, and how a payer pays there by what is typed nowhere else.
struct TypedBuy: Sendable, CustomTestStringConvertible {
  let provider: ProviderName
  let strategy: PresentationStrategy
  let product: String
  let pay: @Sendable (inout Browser, String) async -> Void
  var testDescription: String { "\(provider) in \(strategy.rawValue)" }

  /// What is typed: at Futa a number that ends in 01 pays, at Raïs a card that ends in 0001.
  static let phone = "0810993301"
  static let card = "4929123456780001"
  /// It in every spelling in which it might be kept.
  static let forbidden = [
    phone, "810993301", "081 099 3301", card, "4929 1234 5678 0001", "4929-1234-5678-0001",
  ]

  static let all = [
    TypedBuy(provider: .tabby, strategy: .systemBrowser, product: "lamp") { browser, page in
      await browser.pay(page)
    },
    TypedBuy(provider: .futa, strategy: .webView, product: "solar") { browser, page in
      await browser.open(page)
      await browser.submit(["msisdn": phone])
    },
    TypedBuy(provider: .rais, strategy: .authSession, product: "radio") { browser, page in
      await browser.open(page)
      await browser.submit(["card_number": card])
      await browser.submit(["otp": "1234"])
    },
    TypedBuy(provider: .tebex, strategy: .webView, product: "6276316") {
      browser, page in
      await browser.open(page)
      await browser.submit(["method": "test"])
    },
    TypedBuy(provider: .seb, strategy: .webView, product: "sauna") { browser, page in
      await browser.open(page)
      await browser.follow("card")
      // No card of the sandbox, so it asks again.
      await browser.submit(["card_number": card])
      await browser.submit(["card_number": "5186000000000005"])
      await browser.submit(["otp": "1234"])
    },
  ]
}

/// The columns that hold a text or bytes, as `table.column`.
private struct StoreScan {
  /// How many columns were looked at.
  var columns = 0
  /// Those that hold one of the words.
  var found: Set<String> = []

  /// Looks at every column of every table.
  init(_ path: String, for words: [String]) throws {
    let database = try SQLiteDatabase(path: path, access: .readOnly)
    defer { database.close() }
    for (table, _) in try database.rowCounts() {
      let names = try database.all("SELECT name FROM pragma_table_info(?)", [.text(table)]) {
        (row) throws(SQLiteError) in try row.text()
      }
      for name in names {
        columns += 1
        for word in words {
          // Bytes and texts alike, whatever the column is declared to be.
          let sql =
            "SELECT count(*) FROM \"\(table)\" WHERE instr(CAST(\"\(name)\" AS BLOB), ?) > 0"
          let rows = try database.first(sql, [.blob(Array(word.utf8))]) {
            (row) throws(SQLiteError) in try row.integer()
          }
          if rows != 0 { found.insert("\(table).\(name)") }
        }
      }
    }
  }
}

@Suite("What a payer types, or a hostile page says, is kept by neither device nor server")
struct TypedPrivacyTests {
  /// The raw bytes of a webhook are what a provider said: kept so that its signature can be proven
  /// and what was made of it be replayed, and erased after `webhook_body_days`.
  private static let excused: Set<String> = ["webhooks.body"]

  @Test(arguments: TypedBuy.all)
  func `a phone number and a card, typed wherever they can be`(buy: TypedBuy) async throws {
    try await PlantedStack.run(onDisk: true) { stack in
      let phone = "\(stack.directory)/phone"
      try Files.makeDirectory(phone)
      let device = try SQLiteDeviceStore(path: "\(phone)/checkouts.sqlite")
      let printed = Locked<[String]>([])
      try await play(buy, stack, device, printed)
      let lines = printed.withLock { $0 }
      #expect(lines.contains { $0.contains(#""outcome":"succeeded""#) })
      try expectNothing(in: lines + [stack.log.text] + stack.told, "a line or an answer")
      try expectNothing(in: try files(in: phone), "a file of the device")
      await device.close()
      try expectNothing(in: try files(in: phone), "a file of the closed device")
      let scan = try StoreScan(stack.database, for: TypedBuy.forbidden)
      #expect(scan.columns > 100)
      #expect(scan.found.subtracting(Self.excused) == [])
      // The words did come as far as that.
      #expect(scan.found == Self.excused)
    }
  }

  // MARK: Parts

  private func play(
    _ buy: TypedBuy, _ stack: PlantedStack, _ device: SQLiteDeviceStore,
    _ printed: Locked<[String]>
  ) async throws {
    let token = stack.shop.token(.approved)
    let app = AppProcess(
      store: device,
      backend: MerchantClient(
        baseURL: PlantedStack.serverURL, transport: stack.transport, token: { token }),
      environment: stack.environment, stays: true,
      checkoutOrigin: CheckoutOrigin(PlantedStack.sandboxURL, on: .iOS),
      print: { line in printed.withLock { $0.append(line) } })
    let (lines, payer) = AsyncStream.makeStream(of: String.self)
    let request = CheckoutRequest(
      provider: buy.provider,
      purchase: .items([CheckoutRequest.Item(productID: buy.product, quantity: 1)]))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = await app.run(.buy(request, strategy: buy.strategy), lines: lines) }
      defer { group.cancelAll() }
      func event(_ words: String) async throws -> JSONValue {
        var found: JSONValue?
        try await stack.until("the app says \(words)") {
          let line = printed.withLock { $0 }.first { $0.contains(words) }
          found = try line.map { try JSONValue(parsing: Array($0.utf8)) }
          return found != nil
        }
        return try #require(found)
      }
      let page = try #require(try await event(#""event":"open""#)["url"]?.text)
      let payment = try #require(
        try await event(#""event":"created""#)["payment_id"]?.text)
      let record = try #require(try await device.all().first)
      typeOnDevice(page, record, into: payer)
      try await typeAtServer(payment, record, buy, stack)
      let transport = stack.transport
      try await stack.moving {
        var browser = Browser(transport, origin: PlantedStack.sandboxURL)
        await buy.pay(&browser, page)
      }
      payer.yield("background")
      payer.yield("foreground")
      _ = try await event(#""outcome":"succeeded""#)
      typeOnDevice(page, record, into: payer)
      for _ in 0..<20 { await stack.pause(.milliseconds(500)) }
    }
  }

  /// What the page shows, says and goes to; and what comes back to the app with a link.
  private func typeOnDevice(
    _ page: String, _ record: CheckoutRecord, into payer: AsyncStream<String>.Continuation
  ) {
    let (phone, card) = (TypedBuy.phone, TypedBuy.card)
    let typed = "phone=\(phone)&card=\(card)#\(card)"
    let origin = PlantedStack.sandboxURL
    for (payment, state) in [(phone, card), (card, "captured"), ("pay_1", phone)] {
      payer.yield("page \(payment) \(state) true \(page)")
      payer.yield("page \(payment) \(state) false \(origin)/\(card)?\(typed)")
    }
    for url in [
      "\(page)?\(typed)", "\(origin)/\(card)/\(phone)?\(typed)", "\(origin)/receipts/\(card)",
      "bankapp://\(card)/\(phone)?\(typed)", "about:blank?\(card)", "javascript:alert(\(card))",
      "intent://\(card)#Intent;scheme=bank;S.browser_fallback_url=https://x/\(card);end",
      "tel:\(phone)",
    ] {
      payer.yield("navigate \(url)")
    }
    payer.yield("close \(card)")
    payer.yield("\(card) \(phone)")
    let returns = record.payment?.returnURLs
    for url in [returns?.success, returns?.cancel, returns?.failure].compactMap({ $0 }) {
      let mark = url.contains("?") ? "&" : "?"
      payer.yield("link \(url)\(mark)\(typed)")
      payer.yield("link \(url)/\(card)\(mark)\(typed)")
      payer.yield("callback \(url)\(mark)\(typed)")
    }
    payer.yield("link otherapp://\(phone)/?\(typed)")
  }

  /// What a hostile page, or a device in its hands, can send to the server, and what a provider may
  /// add to its webhooks.
  private func typeAtServer(
    _ payment: String, _ record: CheckoutRecord, _ buy: TypedBuy, _ stack: PlantedStack
  ) async throws {
    let token = stack.shop.token(.approved).reveal()
    let (phone, card) = (TypedBuy.phone, TypedBuy.card)
    let extra = #""phone":"\#(phone)","card":{"number":"\#(card)"}"#
    let typed = "phone=\(phone)&card=\(card)"
    for body in [
      #"{"signal":"opened",\#(extra)}"#, #"{"signal":"\#(card)"}"#, #"{\#(extra)}"#, card,
      #"{"signal":"closed \#(phone)"}"#,
    ] {
      _ = try await stack.send(
        "POST", "/v1/payments/\(payment)/signals?\(typed)", token: token, body: body,
        headers: ["User-Agent": card, "X-Card": card, "Referer": "https://x/?\(typed)"])
    }
    let items = #"[{"product_id":"\#(buy.product)","quantity":1,"note":"\#(card)"}]"#
    for body in [
      #"{"provider":"\#(buy.provider)","items":\#(items),\#(extra),"buyer":{\#(extra)}}"#,
      #"{"provider":"\#(card)","items":\#(items)}"#,
      #"{"provider":"\#(buy.provider)","items":[{"product_id":"\#(card)","quantity":1}]}"#,
      #"{"provider":"\#(buy.provider)","order_id":"\#(card)"}"#,
    ] {
      _ = try await stack.send(
        "POST", "/v1/checkouts", token: token, key: "k-typed", body: body)
    }
    for target in [
      "/v1/payments/\(payment)?\(typed)", "/v1/payments/\(card)", "/\(card)?\(typed)",
      "/healthz?\(typed)",
    ] {
      _ = try await stack.send("GET", target, token: token)
    }
    // What came with a return goes on into the app, byte for byte, and nowhere else.
    for target in ["/return/success?\(typed)", "/return/cancel/\(card)?\(typed)"] {
      _ = await stack.server.respond(to: HTTPRequest(method: "GET", target: target))
    }
    try await deliver(extra, buy, stack)
  }

  /// Deliveries that say more than they need; only the last one proves where it comes from.
  private func deliver(_ extra: String, _ buy: TypedBuy, _ stack: PlantedStack) async throws {
    let body =
      #"{"id":"0199cccc-0000-7000-8000-0000000000aa","status":"authorized","buyer":{\#(extra)}}"#
    for (name, value) in [
      ("X-Typed", TypedBuy.card), ("X-Signature", TypedBuy.card),
      (DemoShop.webhookHeader, stack.shop.webhookSecret.reveal()),
    ] {
      for provider in [buy.provider.rawValue, "tabby"] {
        _ = try await stack.send(
          "POST", "/webhooks/\(provider)?card=\(TypedBuy.card)", token: nil, body: body,
          headers: [name: value])
      }
    }
  }

  private func files(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map {
      String(
        decoding: try Data(contentsOf: URL(filePath: "\(directory)/\($0)")), as: UTF8.self)
    }
  }

  private func expectNothing(in texts: [String], _ what: String) throws {
    for text in texts {
      for word in TypedBuy.forbidden {
        if let place = text.firstRange(of: word) {
          Issue.record("\(what) holds \(word) behind: \(text[..<place.lowerBound].suffix(160))")
        }
      }
    }
  }
}
