import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import PaymentStore
import SQLitePaymentStore
import TestSupport
import Testing

@testable import Bootstrap

@Suite("till doctor, about accounts")
struct DoctorAccountTests {
  private func checks(
    _ files: ShopFiles, _ prepare: (any PaymentStore) async throws -> Void = { _ in }
  ) async throws -> [DoctorCheck] {
    try await withTemporaryDirectory { directory in
      let configuration = try files.configuration(in: directory)
      let store = try SQLitePaymentStore.open(path: configuration.database)
      try await prepare(store)
      await store.close()
      return await Doctor(
        configuration: configuration,
        transport: ClosureTransport { _ in HTTPResponse(status: 404) },
        environment: .test(ManualClock()), asksProviders: false
      ).checks()
    }
  }

  @Test(arguments: [
    (PaymentStatus.pending, true, DoctorCheck.Standing.fail), (.captured, true, .warn),
    (.captured, false, .ok), (.rejected, false, .ok),
  ])
  func `payments of an account that was taken out are told`(
    _ status: PaymentStatus, _ isRead: Bool, _ standing: DoctorCheck.Standing
  ) async throws {
    let checks = try await checks(ShopFiles()) { store in
      try await store.write { transaction in
        try transaction.insertOrder(Sample.order())
        var payment = Sample.payment()
        (payment.account, payment.status) = (ProviderAccount("old"), status)
        payment.schedule = ReadSchedule(nextReadAt: isRead ? Instant(milliseconds: 1) : nil)
        try transaction.insertPayment(payment)
      }
    }
    let found = checks.first { $0.name == "tabby old" }
    #expect(found?.standing == standing)
    #expect((found?.advice == nil) == (standing == .ok))
    #expect(!checks.contains { $0.name == "tabby uae" })
  }

  private static func second(code: String, key: String = "TILL_TABBY_SECRET_KEY") -> String {
    """
    "tabby": [{"account": "second", "region": "emirates_and_kuwait", "merchant_code": "\(code)",
       "secret_key": {"env": "\(key)"}},{
    """
  }

  @Test(arguments: [
    (second(code: "AE"), "", DoctorCheck.Standing.fail), (second(code: "KW"), "", .warn),
    (
      second(code: "KW"),
      """
      "account_rules": [{"provider": "tabby", "account": "main", "reads_per_minute": 1350},
        {"provider": "tabby", "account": "second", "reads_per_minute": 1350}],
      """, .ok
    ),
    (second(code: "AE", key: "OTHER_KEY"), "", nil),
  ])
  func `two accounts at Tabby with one key are told`(
    _ second: String, _ rules: String, _ standing: DoctorCheck.Standing?
  ) async throws {
    let files = ShopFiles().replacing("\"tabby\": [{", with: rules + second)
      .setting("OTHER_KEY", to: "sk_test_other")
    let checks = try await checks(files)
    #expect(checks.first { $0.name == "tabby second, main" }?.standing == standing)
  }
}
