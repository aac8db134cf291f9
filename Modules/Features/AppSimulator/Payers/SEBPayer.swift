import PaymentModels

/// SEB: a choice of methods, each try a session of its own; the bank settles later.
struct SEBPayer: HostedPayer {
  let facts = HostedPage(
    provider: ProviderName("seb"), product: "sauna", price: "129.90", nothing: "0.00",
    open: "INITIALIZED", paid: "CAPTURED", rejected: "FAILED", expired: "EXPIRED",
    delayFault: "settle_delay_ms")

  func pay(on page: PayerBrowser.Page, _ cast: StoryCast) async throws -> PayerBrowser.Page {
    let secure = try await enterCard("5186000000000005", from: page, cast)
    let result = try await cast.browser.submit(secure, "otp", "1234").page()
    await cast.say(.payer, "pays by card and confirms by the code 1234")
    return result
  }

  func payUnsettled(
    on page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    let question = try await goToBank(from: page, cast)
    let sent = try await cast.browser.submit(question, "decision", "approve").page()
    await cast.say(.payer, "pays by bank, which sends it for processing")
    return sent
  }

  func goToBank(
    from page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    let banks = try await cast.browser.open(page.link("bank")).page()
    return try await cast.browser.submit(banks, "bank", "mock-bank").page()
  }

  func confirm(at bank: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await cast.browser.submit(bank, "decision", "approve").page()
    await cast.say(.payer, "approves in the bank's app")
  }

  func failOnce(on page: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await enterCard("5186000000000013", from: page, cast)
    await cast.say(.payer, "has a card fail")
  }

  /// The card's number; gives what follows: 3-D Secure, or the choice again.
  func enterCard(
    _ number: String, from page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    let card = try await cast.browser.open(page.link("card")).page()
    return try await cast.browser.submit(card, "card_number", number).page()
  }
}
