import CheckoutLifecycle
import HTTPExchange
import KitEnvironment
import PaymentModels

/// One look of the payer at a hosted page, from its opening to its end. What the payer wants and
/// how far it comes is up to the seed.
struct Visit: Sendable {
  /// What the payer has in mind.
  private enum Intention: Int, CaseIterable {
    case payByCard, payAtBank, closeThenPayAtBank, declineThenPay, cancel, leave
  }

  let phone: Phone
  let browser: Party
  let transport: any HTTPTransport
  let key: CheckoutKey
  let page: Int

  private func draw(_ bound: UInt64) -> Int { Int(browser.random.below(bound)) }

  func run(_ url: String) async {
    // Payers who want to pay are the ones that money depends on.
    let intention = draw(2) == 0 ? .payByCard : Intention(rawValue: draw(6)) ?? .leave
    browser.note("sees the page of \(key), intends \(intention)")
    guard let mark = url.firstRange(of: "sessionId=") else { return end(nil) }
    let session = String(url[mark.upperBound...].prefix { $0 != "&" })
    guard await load("GET", url) != nil else { return end(nil) }
    if intention == .leave, draw(2) == 0 { return end(nil) }
    if intention == .cancel { return await leave("checkout/\(session)/cancel") }
    guard await submit(session, "phone", "phone=500000001"),
      await submit(session, "otp", "otp=8888")
    else { return end(nil) }
    if intention == .leave { return end(nil) }
    switch intention {
    case .payByCard, .cancel, .leave:
      guard await submit(session, "plan", "method=card") else { return end(nil) }
    case .payAtBank, .closeThenPayAtBank, .declineThenPay:
      guard await submit(session, "plan", "method=bank") else { return end(nil) }
      if intention == .closeThenPayAtBank { end(nil) }
      if intention == .declineThenPay {
        _ = await load("POST", "\(WorldShop.sandboxURL)/bank/\(session)", "decision=decline")
        guard await submit(session, "plan", "method=bank") else { return end(nil) }
      }
      _ = await load("POST", "\(WorldShop.sandboxURL)/bank/\(session)", "decision=approve")
    }
    if intention != .closeThenPayAtBank { await leave("checkout/\(session)/return") }
  }

  private func submit(_ session: String, _ step: String, _ form: String) async -> Bool {
    await load("POST", "\(WorldShop.sandboxURL)/checkout/\(session)/\(step)", form) != nil
  }

  /// Goes back to the app by the page's link, or closes the page although the link was there.
  private func leave(_ path: String) async {
    let response = await load("GET", "\(WorldShop.sandboxURL)/\(path)")
    end(draw(5) == 0 ? nil : response?.headers["Location"])
  }

  private func end(_ link: String?) {
    let isApp = link?.hasPrefix(Phone.returnBase) == true
    browser.note("leaves the page of \(key) \(isApp ? "by its link" : "by closing it")")
    phone.ends(page, of: key, link: isApp ? link : nil)
  }

  /// Loads something, patiently; nil if the payer gives up.
  private func load(_ method: String, _ url: String, _ form: String = "") async -> HTTPResponse? {
    for _ in 0..<3 {
      try? await browser.environment.clock.sleep(for: .milliseconds(300 + draw(8_000)))
      do throws(HTTPTransportError) {
        let response = try await transport.send(
          HTTPOutgoing(
            method: method, url: url,
            headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Array(form.utf8)))
        if response.status < 400 { return response }
      } catch {
        browser.note("sees an error page: \(error.reason)")
      }
    }
    return nil
  }
}
