import PaymentModels

/// Tabby: phone number, code, plan; the bank's app works without the page.
struct TabbyPayer: HostedPayer {
  let facts = HostedPage(
    provider: .tabby, product: "lamp", price: "340.00", nothing: "0.00", open: "CREATED",
    paid: "CLOSED", rejected: "REJECTED", expired: "EXPIRED", refusedPayer: .declined,
    delayFault: "authorize_delay_ms", webhookDelay: ("webhook_delays_ms", true),
    cancelFault: "cancel_leaves_created", speaksArabic: true)

  /// Phone number and code; gives the page with the plan, or the one that refuses.
  func identify(
    on first: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    let code = try await cast.browser.submit(first, "phone", "+971500000001").page()
    await cast.say(.payer, "enters phone number and code 8888 on the hosted page")
    return try await cast.browser.submit(code, "otp", "8888").page()
  }

  /// Takes the plan and pays by card.
  func payByCard(
    on plan: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    await cast.say(.payer, "takes the plan and pays by card")
    return try await cast.browser.submit(plan, "method", "card").page()
  }

  func pay(on page: PayerBrowser.Page, _ cast: StoryCast) async throws -> PayerBrowser.Page {
    try await payByCard(on: try await identify(on: page, cast), cast)
  }

  func goToBank(
    from page: PayerBrowser.Page, _ cast: StoryCast
  ) async throws -> PayerBrowser.Page {
    let plan = try await identify(on: page, cast)
    let wait = try await cast.browser.submit(plan, "method", "bank").page()
    await cast.say(.payer, "goes to the bank app")
    return try await cast.browser.open(wait.link("bank")).page()
  }

  func confirm(at bank: PayerBrowser.Page, _ cast: StoryCast) async throws {
    _ = try await cast.browser.submit(bank, "decision", "approve")
    await cast.say(.payer, "confirms in the bank app")
  }

  func failOnce(on page: PayerBrowser.Page, _ cast: StoryCast) async throws {
    let bank = try await goToBank(from: page, cast)
    _ = try await cast.browser.submit(bank, "decision", "decline")
    await cast.say(.payer, "declines in the bank app")
  }

  func beRefused(on page: PayerBrowser.Page, order: String, _ cast: StoryCast) async throws {
    _ = try await identify(on: page, cast)
    await cast.say(.payer, "is refused on the page")
  }
}
