import PaymentModels

/// Tebex: one choice of method; nothing ends a basket unpaid.
struct TebexPayer: HostedPayer {
  let facts = HostedPage(
    provider: ProviderName("tebex"), product: "6276316", price: "5.35", nothing: "0.00",
    open: "open", paid: "complete", delayFault: "complete_delay_ms")

  func pay(on page: PayerBrowser.Page, _ cast: StoryCast) async throws -> PayerBrowser.Page {
    let end = try await cast.browser.submit(page, "method", "test").page()
    await cast.say(.payer, "pays with Test Payments")
    return end
  }

  /// The wallet's app shows what the page showed.
  func goToBank(
    from page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    await cast.say(.payer, "goes to the wallet's app")
    return page
  }

  func confirm(at bank: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await pay(on: bank, cast)
  }

  func failOnce(on page: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await cast.browser.submit(page, "method", "declined").page()
    await cast.say(.payer, "is declined")
  }
}
