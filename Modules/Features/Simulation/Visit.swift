import CheckoutLifecycle
import HTTPExchange
import KitEnvironment
import PaymentModels

/// One look of the payer at a hosted page, from its opening to its end. What the payer wants and
/// how far it comes is up to the seed.
struct Visit: Sendable {
  let phone: Phone
  let browser: Party
  let transport: any HTTPTransport
  let key: CheckoutKey
  let page: Int

  private func draw(_ bound: UInt64) -> Int { Int(browser.random.below(bound)) }

  func run(_ url: String) async {
    // Payers who want to pay are the ones that money depends on.
    let intentions = PageScript.Intention.allCases
    let intention =
      draw(2) == 0 ? .pays : intentions[draw(UInt64(intentions.count))]
    browser.note("sees the page of \(key), intends: \(intention.rawValue)")
    guard let script = PageScript(page: url), await load("GET", url) != nil else { return end(nil) }
    if intention == .leaves { return end(nil) }
    for step in script.steps(of: intention) {
      switch step {
      case .post(let url, let form):
        guard await load("POST", url, form) != nil else { return end(nil) }
      case .closes:
        end(nil)
        // Mostly the bank's app takes seconds, sometimes the payer thinks about it for an hour.
        await pause(draw(3) == 0 ? 4_000_000 : 60_000)
      }
    }
    await leave(intention == .cancels ? script.cancel : script.back)
  }

  /// Goes back to the app by the page's link, or closes the page although the link was there.
  private func leave(_ url: String) async {
    guard phone.isOpen(page, of: key) else { return }
    let response = await load("GET", url)
    end(draw(5) == 0 ? nil : response?.headers["Location"])
  }

  private func end(_ link: String?) {
    let isApp = link?.hasPrefix(WorldShop.returnBase) == true
    browser.note("leaves the page of \(key) \(isApp ? "by its link" : "by closing it")")
    phone.ends(page, of: key, link: isApp ? link : nil)
  }

  private func pause(_ mostMs: UInt64) async {
    try? await browser.environment.clock.sleep(for: .milliseconds(300 + draw(mostMs)))
  }

  /// Loads something, patiently; nil if the payer gives up.
  private func load(_ method: String, _ url: String, _ form: String = "") async -> HTTPResponse? {
    for _ in 0..<3 {
      await pause(8_000)
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

/// The forms of a provider's page, as a payer fills them.
struct PageScript: Sendable {
  /// What a payer has in mind.
  enum Intention: String, Sendable, CaseIterable {
    case pays = "pay"
    case paysAtBank = "pay at the bank"
    case closesThenPays = "close the page, then pay at the bank"
    case failsThenPays = "fail once, then pay"
    case failsForGood = "be refused"
    case cancels = "cancel"
    case leaves = "leave"
  }

  enum Step: Sendable {
    case post(String, String)
    case closes
  }

  private enum Provider { case tabby, futa, rais, tebex, seb }

  private let provider: Provider
  /// The page without its query.
  private let page: String
  /// Tabby's session.
  private let session: String

  /// Nil for an address that is no provider's page.
  init?(page url: String) {
    guard url.hasPrefix(WorldShop.sandboxURL + "/") else { return nil }
    page = String(url.prefix { $0 != "?" })
    let path = page.dropFirst(WorldShop.sandboxURL.count)
    let mark = url.firstRange(of: "sessionId=")
    session = mark.map { String(url[$0.upperBound...].prefix { $0 != "&" }) } ?? ""
    switch path.split(separator: "/").first {
    case "futa": provider = .futa
    case "rais": provider = .rais
    case "tebex": provider = .tebex
    case "seb": provider = .seb
    default: provider = .tabby
    }
    if provider == .tabby, session.isEmpty { return nil }
  }

  private var root: String {
    provider == .tabby ? "\(WorldShop.sandboxURL)/checkout/\(session)" : page
  }

  /// Where the page's link leads that goes back after paying.
  var back: String { "\(root)/return" }
  /// Where its cancel link leads.
  var cancel: String { "\(root)/cancel" }

  private func form(_ step: String, _ form: String) -> Step { .post("\(root)/\(step)", form) }

  func steps(of intention: Intention) -> [Step] {
    switch intention {
    case .pays: pay
    case .paysAtBank: toBank + [approve]
    case .closesThenPays: toBank + [.closes, approve]
    case .failsThenPays: fail + pay.suffix(provider == .tabby ? 1 : pay.count)
    // Futa alone tells a number that it refuses for good from one that may be tried again.
    case .failsForGood:
      provider == .futa ? [form("phone", "msisdn=0810000003")] : fail
    case .cancels, .leaves: []
    }
  }

  private var pay: [Step] {
    switch provider {
    case .tabby:
      [form("phone", "phone=500000001"), form("otp", "otp=8888"), form("plan", "method=card")]
    case .futa: [form("phone", "msisdn=0810000001")]
    case .rais: [form("card", "card_number=4000000000000001"), form("secure", "otp=1234")]
    case .tebex: [form("method", "method=test")]
    case .seb: [form("card", "card_number=5186000000000005"), form("secure", "otp=1234")]
    }
  }

  private var toBank: [Step] {
    switch provider {
    case .tabby:
      [form("phone", "phone=500000001"), form("otp", "otp=8888"), form("plan", "method=bank")]
    case .futa: [form("bank", "method=bank")]
    case .rais: [form("card", "card_number=4000000000000001")]
    case .tebex: []
    case .seb: [form("bank", "bank=mock-bank")]
    }
  }

  private var approve: Step {
    switch provider {
    case .tabby: .post("\(WorldShop.sandboxURL)/bank/\(session)", "decision=approve")
    case .futa: .post(page.replacing("/futa/pay/", with: "/futa/bank/"), "decision=approve")
    case .rais: form("secure", "otp=1234")
    case .tebex: form("method", "method=test")
    case .seb: form("sca", "decision=approve")
    }
  }

  private var fail: [Step] {
    switch provider {
    case .tabby:
      toBank + [.post("\(WorldShop.sandboxURL)/bank/\(session)", "decision=decline")]
    case .futa: [form("phone", "msisdn=0810000002")]
    case .rais: [form("card", "card_number=4000000000000002")]
    case .tebex: [form("method", "method=declined")]
    case .seb: [form("card", "card_number=5186000000000013")]
    }
  }
}
