import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import PaymentStore
import SQLiteConnection
import SQLitePaymentStore
import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

@Suite("till doctor")
struct DoctorTests {
  private static let ready = """
    {"status":"ready","workers":[{"worker":"schedule","silent_ms":400}],"disk_free_bytes":1}
    """
  private static let registered = """
    [{"id":"w-1","url":"https://pay.shop.example/webhooks/tabby","is_test":true,\
    "header":{"title":"X-Webhook-Token","value":"\(ShopFiles.webhookValue)"}}]
    """

  /// What is found, by the name of the check.
  private func found(
    webhooks: String = registered, webhookStatus: Int = 200, ready: (Int, String) = (200, ready),
    date: String = "Mon, 21 Sep 2026 14:13:20 GMT", asksProviders: Bool = true,
    files: ShopFiles = ShopFiles(),
    _ prepare: (String, ManualClock) async throws -> Void = { _, _ in }
  ) async throws -> [String: DoctorCheck] {
    let clock = ManualClock()
    return try await withTemporaryDirectory { directory in
      let configuration = try files.configuration(in: directory)
      try await prepare(configuration.database, clock)
      let transport = ClosureTransport { request in
        if request.url.contains("/readyz") {
          return HTTPResponse(status: ready.0, body: Array(ready.1.utf8))
        }
        return HTTPResponse(
          status: webhookStatus, headers: ["Date": date], body: Array(webhooks.utf8))
      }
      let doctor = Doctor(
        configuration: configuration, transport: transport, environment: .test(clock),
        asksProviders: asksProviders)
      let checks = await doctor.checks()
      #expect(Set(checks.map(\.name)).count == checks.count)
      let text = DoctorReport(checks).text(usesColor: false)
      for secret in [ShopFiles.tabbyKey, ShopFiles.webhookValue, ShopFiles.operatorKey] {
        #expect(!text.contains(secret))
      }
      return Dictionary(uniqueKeysWithValues: checks.map { ($0.name, $0) })
    }
  }

  private func seed(
    _ path: String, _ body: @escaping @Sendable (any PaymentTransaction) throws -> Void
  ) async throws {
    let store = try SQLitePaymentStore.open(path: path)
    try await store.seed()
    try await store.write(body)
    await store.close()
  }

  @Test func `all is well`() async throws {
    let files = ShopFiles().replacing("\"account\": \"main\"", with: "\"account\": \"uae\"")
    let found = try await found(files: files) { path, clock in
      try await seed(path) {
        try $0.schedulePayment(
          Sample.paymentID(1), ReadSchedule(nextReadAt: clock.now + .seconds(1)))
      }
    }
    let wrong = found.values.filter { $0.standing == .fail || $0.advice != nil }
    #expect(wrong.filter { $0.name != "disk" } == [], "the disk of a test machine may be full")
    #expect(found["tabby uae"]?.fact.contains("https://pay.shop.example") == true)
    #expect(found["workers"]?.fact == "last moved: schedule 0 s ago")
    #expect(found["clock"]?.standing == .ok)
    #expect(found["schema"]?.standing == .ok)
  }

  @Test func `a store that is not there yet is made at the start`() async throws {
    #expect(try await found()["store"]?.standing == .warn)
  }

  @Test func `a store that is none is to be restored`() async throws {
    let found = try await found { path, _ in
      try Files.replace(path, with: Array(repeating: 0x41, count: 8_192))
    }
    #expect(found["store"]?.standing == .fail)
    #expect(found["store"]?.advice?.contains("till restore") == true)
  }

  @Test func `a store of an older program is migrated by the server`() async throws {
    let found = try await found { path, _ in
      let database = try SQLiteDatabase(path: path)
      try database.migrate([
        SQLiteMigration(id: "0001-payments", sql: "CREATE TABLE orders (id TEXT) STRICT")
      ])
      database.close()
    }
    #expect(found["schema"]?.standing == .warn)
    #expect(found["due reads"] == nil, "its tables are not looked at")
  }

  @Test(arguments: [
    (Duration.seconds(600), DoctorCheck.Standing.ok), (.seconds(601), .warn),
    (.seconds(3_601), .fail),
  ])
  func `what nobody takes is told by its age`(
    _ late: Duration, _ standing: DoctorCheck.Standing
  ) async throws {
    let found = try await found { path, clock in
      let due = clock.now - late
      try await seed(path) { transaction in
        try transaction.schedulePayment(Sample.paymentID(1), ReadSchedule(nextReadAt: due))
        var operation = Sample.operation()
        operation.nextTryAt = due
        try transaction.insertOperation(operation)
        var webhook = Sample.webhook()
        webhook.nextTryAt = due
        try transaction.insertWebhook(webhook)
        var message = Sample.message()
        message.nextTryAt = due
        try transaction.insertMessage(message)
      }
    }
    for name in ["due reads", "operations", "webhooks", "messages"] {
      #expect(found[name]?.standing == standing, "\(name)")
      #expect((found[name]?.advice == nil) == (standing == .ok), "\(name)")
    }
  }

  @Test func `a delivery that waits for a person is told`() async throws {
    let found = try await found { path, _ in
      try await seed(path) { transaction in
        var webhook = Sample.webhook()
        webhook.state = .parked
        try transaction.insertWebhook(webhook)
      }
    }
    #expect(found["parked webhooks"]?.standing == .warn)
  }

  @Test func `a server that is not ready says why`() async throws {
    let problem = """
      {"type":"/problems/unavailable","detail":"Not ready: the worker outbox has not moved."}
      """
    let found = try await found(ready: (503, problem))
    #expect(found["server"]?.standing == .fail)
    #expect(found["server"]?.fact.contains("outbox") == true)
  }

  @Test(arguments: [
    ("[]", 200, DoctorCheck.Standing.fail),
    (#"[{"id":"w","url":"https://a.example/webhooks/tabby","is_test":true}]"#, 200, .fail),
    (registered, 200, .ok), ("{}", 401, .fail), ("<html>", 502, .warn),
  ])
  func `a provider's webhook and keys are looked at`(
    _ webhooks: String, _ status: Int, _ standing: DoctorCheck.Standing
  ) async throws {
    let found = try await found(webhooks: webhooks, webhookStatus: status)
    #expect(found["tabby main"]?.standing == standing)
    if webhooks == "[]" {
      let advice = found["tabby main"]?.advice
      #expect(advice == "till endpoint register URL --config FILE --account main")
    }
  }

  @Test(arguments: [
    ("Mon, 21 Sep 2026 14:13:10 GMT", DoctorCheck.Standing.ok),
    ("Mon, 21 Sep 2026 14:13:31 GMT", .warn), ("Mon, 21 Sep 2026 14:11:19 GMT", .fail),
    ("yesterday", .skipped),
  ])
  func `a clock that is off is told`(_ date: String, _ standing: DoctorCheck.Standing)
    async throws
  {
    #expect(try await found(date: date)["clock"]?.standing == standing)
  }

  @Test func `offline no provider is asked`() async throws {
    let found = try await found(webhooks: "[]", asksProviders: false)
    #expect(found["tabby main"]?.standing == .skipped)
    #expect(found["clock"] == nil)
  }
}
