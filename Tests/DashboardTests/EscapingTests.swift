import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import TestSupport
import Testing
import WebPages

@testable import Dashboard

private let attack = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\u{202E}"

@Suite("What strangers wrote, on pages")
struct EscapingTests {
  @Test func `no text of anybody becomes markup, on no page`() async throws {
    try await ServerWorld.run { world in
      let payment = try await world.seedHostile()
      let desk = try await Desk.signedIn(world)
      let search = QueryText.encode(attack + "x")
      for target in [
        "/dashboard", "/dashboard/payments", "/dashboard/payments/\(payment)",
        "/dashboard/payments/\(payment)/refund", "/dashboard/reviews", "/dashboard/reviews/1",
        "/dashboard/inbox", "/dashboard/outbox", "/dashboard/payments?q=\(search)",
        "/dashboard/payments?provider=\(search)&state=\(search)&before=\(search)",
        "/dashboard/inbox?state=\(search)", "/dashboard/\(search)",
      ] {
        let answer = try await desk.send("GET", target)
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(page.contains("<title>"), "\(target)")
        for tag in ["<script>", "<img", "\u{202E}", " onerror=alert(2)>"] {
          #expect(!page.contains(tag), "\(tag) on \(target)")
        }
        // What the policy forbids is not there either.
        for word in [" style=", " onclick=", "javascript:", "http://", "https://"] {
          let clean = page.replacing("http://www.w3.org/2000/svg", with: "")
          #expect(!clean.contains(word), "\(word) on \(target)")
        }
        #expect(answer.headers["Content-Security-Policy"] == PageAssets.contentPolicy)
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
        #expect(answer.headers["X-Frame-Options"] == "DENY")
      }
      let page = try await desk.get("/dashboard/payments/\(payment)")
      #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }
  }

  @Test func `an attempt that failed comes back as it was typed, and as text`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let desk = try await Desk.signedIn(world)
      let answer = try await desk.post(
        "/dashboard/payments/\(row.id)/refund",
        [("amount", attack), ("reason", attack), ("key", attack)])
      let page = String(decoding: answer.body, as: UTF8.self)
      #expect(answer.status >= 400)
      #expect(!page.contains("<script>") && page.contains("&quot;&#39;&gt;&lt;script&gt;"))
    }
  }

  @Test func `no page shows a buyer, a secret, the payer's page or the bytes of a delivery`()
    async throws
  {
    try await ServerWorld.run { world in
      let payment = try await world.seedHostile()
      let desk = try await Desk.signedIn(world)
      for target in [
        "/dashboard", "/dashboard/payments", "/dashboard/payments/\(payment)", "/dashboard/inbox",
        "/dashboard/outbox", "/dashboard/reviews", "/dashboard/reviews/1",
      ] {
        let page = try await desk.get(target)
        for word in [
          "buyer-1", "secret-page", "payer@example.com", "verification-1", "create-body",
          ServerWorld.operatorKey, "checked-header",
        ] {
          #expect(!page.contains(word), "\(word) on \(target)")
        }
      }
    }
  }
}

extension ServerWorld {
  /// A payment of which every text is hostile, with buyer's data and secrets where those are kept.
  func seedHostile() async throws -> PaymentID {
    var order = Sample.order()
    order.lines[0] = OrderLine(
      productID: attack, title: attack, category: attack, quantity: 1,
      unitPrice: Money(minorUnits: 100, currency: Sample.aed))
    var payment = Sample.payment()
    payment.provider = ProviderName(attack)
    payment.account = ProviderAccount(attack)
    payment.providerPaymentID = ProviderPaymentID(attack)
    payment.transactionID = attack
    payment.rejectionReason = attack
    payment.status = .unknown(attack)
    payment.checkoutURL = "https://pay.example/secret-page"
    payment.verificationKey = Secret("verification-1")
    payment.createRequest = Array("create-body payer@example.com".utf8)
    var webhook = Sample.webhook()
    webhook.provider = ProviderName(attack)
    webhook.detail = attack
    webhook.body = Array("payer@example.com".utf8)
    webhook.checkedHeaders = "checked-header"
    webhook.paymentReference = payment.id
    var operation = Sample.operation()
    operation.reason = attack
    operation.detail = attack
    var message = Sample.message()
    message.paymentID = payment.id
    let entry = JournalEntry(
      at: Sample.start, orderID: order.id, paymentID: payment.id, channel: .operator,
      operatorName: OperatorName(attack), trust: .hint, event: attack, change: attack,
      note: attack)
    let rows = (order, payment, webhook, operation, message)
    try await store.write { transaction in
      try transaction.insertOrder(rows.0)
      try transaction.insertPayment(rows.1)
      try transaction.insertWebhook(rows.2)
      try transaction.insertOperation(rows.3)
      try transaction.insertMessage(rows.4)
      try transaction.appendJournal(entry)
      try transaction.putItem(
        PaymentItem(
          kind: .capture, providerItemID: attack, reference: attack,
          amount: Money(minorUnits: 100, currency: Sample.aed), createdAt: nil),
        of: rows.1.id, learnedAt: Sample.start)
      _ = try transaction.openReview(
        ReviewRow(
          orderID: rows.0.id, paymentID: rows.1.id, kind: .lateMoney, detail: attack,
          openedAt: Sample.start))
    }
    return payment.id
  }
}
