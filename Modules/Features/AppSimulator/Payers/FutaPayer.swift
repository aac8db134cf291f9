import PaymentModels

/// Futa: a phone number on the page, or the bank on an origin of its own.
struct FutaPayer: HostedPayer {
  let facts = HostedPage(
    provider: .futa, product: "solar", price: "25000.00", nothing: "0.00", open: "created",
    paid: "paid", rejected: "failed", expired: "expired", delayFault: "outcome_delay_ms")

  /// Pays by mobile money; what becomes of it stands in the number.
  func payByPhone(
    _ number: String, on page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    await cast.say(.payer, "pays by mobile money as \(number)")
    return try await cast.browser.submit(page, "msisdn", number).page()
  }

  func pay(on page: PayerBrowser.Page, _ cast: StoryCast) async throws -> PayerBrowser.Page {
    try await payByPhone("0810000001", on: page, cast)
  }

  func goToBank(
    from page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    await cast.say(.payer, "goes to the bank")
    return try await cast.browser.submit(page, "method", "bank").page()
  }

  func confirm(at bank: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await cast.browser.submit(bank, "decision", "approve")
    await cast.say(.payer, "approves at the bank")
  }

  func failOnce(on page: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await payByPhone("0810000002", on: page, cast)
  }

  func beRefused(on page: PayerBrowser.Page, order: String, _ cast: StoryCast) async throws {
    _ = try await payByPhone("0810000003", on: page, cast)
  }
}
