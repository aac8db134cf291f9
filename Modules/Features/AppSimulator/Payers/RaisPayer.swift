import PaymentModels

/// Raïs: a card and 3-D Secure.
struct RaisPayer: HostedPayer {
  let facts = HostedPage(
    provider: .rais, product: "radio", price: "500000", nothing: "0", open: "pending",
    paid: "paid", rejected: "failed", expired: "expired", delayFault: "paid_delay_ms")

  func pay(on page: PayerBrowser.Page, _ cast: StoryCast) async throws -> PayerBrowser.Page {
    let secure = try await enterCard("4000000000000001", on: page, cast)
    let result = try await cast.browser.submit(secure, "otp", "1234").page()
    await cast.say(.payer, "pays by card and confirms by the code 1234")
    return result
  }

  func goToBank(
    from page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    await cast.say(.payer, "enters the card; the bank asks for a code")
    return try await enterCard("4000000000000001", on: page, cast)
  }

  func confirm(at bank: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await cast.browser.submit(bank, "otp", "1234").page()
    await cast.say(.payer, "confirms by the code 1234")
  }

  func failOnce(on page: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await enterCard("4000000000000002", on: page, cast)
    await cast.say(.payer, "has a card declined")
  }

  private func enterCard(
    _ number: String, on page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    try await cast.browser.submit(page, "card_number", number).page()
  }
}
