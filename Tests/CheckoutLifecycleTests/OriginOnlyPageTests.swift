import CheckoutLifecycle
import PaymentModels
import Testing

private let sandbox = "https://checkout.sandbox.futa-app.com"

@Suite("The checkout's origin is a trust setting of the app")
struct CheckoutOriginTests {
  private static let platforms: [CheckoutOrigin.Platform] = [
    .iOS, .android(isDebuggable: true), .android(isDebuggable: false),
  ]

  @Test(arguments: [
    sandbox, "HTTPS://Checkout.Sandbox.Futa-App.com", "\(sandbox):443", "https://shop.example:8443",
    "https://[::1]:8443",
  ])
  func `an https origin is one everywhere`(text: String) {
    for platform in Self.platforms { #expect(CheckoutOrigin(text, on: platform) != nil) }
  }

  // Futa: plain HTTP only for the developer's loopback with a port; on Android in a debuggable app.
  @Test(arguments: [
    ("http://127.0.0.1:18140", true, true), ("http://localhost:18140", true, true),
    ("http://LOCALHOST:80", true, true), ("http://10.0.2.2:18140", false, true),
  ])
  func `plain http is the developer's own machine, with a port`(
    text: String, iOS: Bool, debuggable: Bool
  ) {
    #expect((CheckoutOrigin(text, on: .iOS) != nil) == iOS)
    #expect((CheckoutOrigin(text, on: .android(isDebuggable: true)) != nil) == debuggable)
    #expect(CheckoutOrigin(text, on: .android(isDebuggable: false)) == nil)
  }

  @Test(arguments: [
    "http://127.0.0.1", "http://localhost", "http://10.0.2.2", "http://localhost:",
    "http://checkout.sandbox.futa-app.com", "http://checkout.sandbox.futa-app.com:18140",
    "http://127.0.0.1.evil.example:18140", "http://localhost@evil.example:18140",
    "http://127.0.0.2:18140", "http://[::1]:18140", "\(sandbox)/", "\(sandbox)/c", "\(sandbox)?x",
    "\(sandbox)#x", "https://user@checkout.sandbox.futa-app.com", "https://", "https:///c",
    "https://a:b", "https://a:0", "https://a:65536", "https://a%2eb", "https://a b",
    "https://a\\b", "https://münchen.example", "checkout.sandbox.futa-app.com", "ftp://a:1",
    "file:///c", "*", "",
  ])
  func `everything else is refused everywhere`(text: String) {
    for platform in Self.platforms { #expect(CheckoutOrigin(text, on: platform) == nil) }
  }

  @Test(arguments: [
    (sandbox, "\(sandbox)/c/1?x#y", true), (sandbox, "\(sandbox):443/c", true),
    (sandbox, "HTTPS://CHECKOUT.sandbox.futa-app.com", true), ("\(sandbox):443", sandbox, true),
    (sandbox, "\(sandbox)/a/../b%2fc", true),
    (sandbox, "\(sandbox).evil.example/", false), (sandbox, "\(sandbox)@evil.example/", false),
    (sandbox, "\(sandbox):8443/", false), (sandbox, "http://checkout.sandbox.futa-app.com/", false),
    (sandbox, "https://sandbox.futa-app.com/", false),
    (sandbox, "https://evil.example\\@checkout.sandbox.futa-app.com/", false),
    (sandbox, " \(sandbox)/", false), (sandbox, "//checkout.sandbox.futa-app.com/", false),
    (sandbox, "https://evil.example/?u=\(sandbox)", false),
  ])
  func `origins are compared, never prefixes`(text: String, url: String, isCovered: Bool) throws {
    #expect(try #require(CheckoutOrigin(text, on: .iOS)).covers(url) == isCovered)
  }

  @Test func `it is told without the scheme's own port`() {
    #expect(CheckoutOrigin("HTTPS://A.example:443", on: .iOS)?.description == "https://a.example")
    #expect(
      CheckoutOrigin("http://localhost:18140", on: .iOS)?.description == "http://localhost:18140")
  }
}

private func policy(
  returnURL: String? = "https://shop.example/thanks",
  receipts: NavigationPolicy.ReceiptRule = NavigationPolicy.ReceiptRule(),
  on platform: PresentationStrategy.Platform = .android
) throws -> NavigationPolicy {
  NavigationPolicy(
    scope: .checkoutOrigin(try #require(CheckoutOrigin(sandbox, on: .iOS))),
    returns: returnURL.map {
      ReturnURLMatcher(ReturnURLs(success: $0, cancel: $0, failure: $0), mode: .originAndPath)
    }, platform: platform, receipts: receipts)
}

private func outside(
  _ url: String, _ end: PageSessionEnd, fallback: String? = nil
) -> NavigationDecision {
  .openOutside(OutsideOpening(url: url, carrier: .system, fallback: fallback), ends: end)
}

private func receipt(_ url: String) -> NavigationDecision {
  .openReceipt(OutsideOpening(url: url, carrier: .system))
}

@Suite("A web view that loads the checkout's origin and nothing else")
struct OriginOnlyPageTests {
  @Test(arguments: [sandbox, "\(sandbox)/c/1", "\(sandbox):443/c/1?x=https://shop.example/thanks"])
  func `a page of the checkout loads, in place of itself`(url: String) throws {
    for target in [NavigationRequest.Target.mainFrame, .subframe] {
      #expect(try policy().decide(NavigationRequest(url: url, target: target)) == .load)
    }
    #expect(
      try policy().decide(NavigationRequest(url: url, target: .newWindow)) == .loadInPlace)
  }

  @Test(arguments: [
    "https://bank.example/login", "http://bank.example", "\(sandbox).evil.example/c/1",
    "\(sandbox):8443/c/1", "http://checkout.sandbox.futa-app.com/c/1",
  ])
  func `any other site opens outside and ends the session as left`(url: String) throws {
    for target in [NavigationRequest.Target.mainFrame, .newWindow] {
      #expect(
        try policy().decide(NavigationRequest(url: url, target: target)) == outside(url, .left))
    }
  }

  // Futa: “to your return_url (its origin and path)”.
  @Test(arguments: [
    ("https://shop.example/thanks", true), ("https://shop.example/thanks?state=paid#x", true),
    ("HTTPS://SHOP.example:443/thanks", true), ("https://shop.example/thanks/", false),
    ("https://shop.example/thanks/more", false), ("https://shop.example/Thanks", false),
    ("https://shop.example/", false), ("https://shop.example:8443/thanks", false),
    ("http://shop.example/thanks", false), ("https://shop.example.evil.example/thanks", false),
  ])
  func `the return address is known by origin and path`(url: String, isReturn: Bool) throws {
    let decision = try policy().decide(NavigationRequest(url: url))
    #expect(decision == outside(url, isReturn ? .returned : .left))
  }

  @Test func `a return address of the app's own scheme returns too`() throws {
    let own = try policy(returnURL: "tillshop://checkout/success?attempt=1")
    let seen = "tillshop://checkout/success?attempt=1&payment_id=2"
    #expect(own.decide(NavigationRequest(url: seen)) == outside(seen, .returned))
    let other = "tillshop://checkout/cancel"
    #expect(own.decide(NavigationRequest(url: other)) == outside(other, .left))
  }

  @Test func `without a return address a return counts as leaving`() throws {
    let url = "https://shop.example/thanks"
    #expect(
      try policy(returnURL: nil).decide(NavigationRequest(url: url)) == outside(url, .left))
  }

  @Test func `a receipt opens outside and ends nothing`() throws {
    for url in ["\(sandbox)/receipts/1", "\(sandbox)/fr/receipts"] {
      #expect(try policy().decide(NavigationRequest(url: url)) == receipt(url))
      let inSafari = OutsideOpening(url: url, carrier: .inAppSafari)
      #expect(
        try policy(on: .iOS).decide(NavigationRequest(url: url)) == .openReceipt(inSafari))
    }
    for url in ["\(sandbox)/receipts-not", "\(sandbox)/c?x=/receipts/1", "\(sandbox)/c#/receipts/"]
    {
      #expect(try policy().decide(NavigationRequest(url: url)) == .load)
    }
    let foreign = "https://evil.example/receipts/1"
    #expect(try policy().decide(NavigationRequest(url: foreign)) == outside(foreign, .left))
  }

  @Test func `a file of the checkout opens outside and ends nothing, any other ends it`() throws {
    let own = NavigationRequest(url: "\(sandbox)/c/1.pdf", isDownload: true)
    #expect(try policy().decide(own) == receipt(own.url))
    let foreign = NavigationRequest(url: "https://bank.example/1.pdf", isDownload: true)
    #expect(try policy().decide(foreign) == outside(foreign.url, .left))
  }

  // How a receipt is recognised is not documented.
  @Test func `how a receipt is told is a setting`() throws {
    let none = try policy(receipts: .init(pathSegment: nil))
    #expect(none.decide(NavigationRequest(url: "\(sandbox)/receipts/1")) == .load)
    let other = try policy(receipts: .init(pathSegment: "r"))
    #expect(
      other.decide(NavigationRequest(url: "\(sandbox)/r/1")) == receipt("\(sandbox)/r/1"))
    let windows = try policy(receipts: .init(includesNewWindows: true))
    let url = "https://receipt.example/r.pdf"
    #expect(
      windows.decide(NavigationRequest(url: url, target: .newWindow)) == receipt(url))
    #expect(windows.decide(NavigationRequest(url: url)) == outside(url, .left))
  }

  @Test(arguments: [
    "", "/c/1", "c", "https:", "https://", "https:///c", "https://a b", "https://bank.example\\x",
    "https://user@checkout.sandbox.futa-app.com/", "https://a%2eb/", "\u{1}https://a/",
    "//bank.example", "1a://x", "https://a:99999/",
    "https://a/" + String(repeating: "x", count: 8_192),
  ])
  func `an address that cannot be read for sure goes nowhere`(url: String) throws {
    #expect(try policy().decide(NavigationRequest(url: url)) == .block)
  }
}

@Suite("FB-18 Non-web schemes inside the webview: the checkout's origin alone")
struct OriginOnlySchemeTests {
  private let bank =
    "intent://pay#Intent;scheme=bankapp;package=com.bank.app;"
    + "S.browser_fallback_url=https%3A%2F%2Fbank.example%2Fp;end"

  @Test func `an intent opens outside with its web fallback and ends as left`() throws {
    for url in [bank, bank.replacing("intent:", with: "INTENT:")] {
      #expect(
        try policy().decide(NavigationRequest(url: url))
          == outside(url, .left, fallback: "https://bank.example/p"))
      // No app of iOS takes an intent.
      #expect(
        try policy(on: .iOS).decide(NavigationRequest(url: url))
          == outside("https://bank.example/p", .left))
    }
  }

  @Test(arguments: [
    "javascript%3Aalert(1)", "file%3A%2F%2F%2Fetc", "%zz", "", "https%3A%2F%2Fu%40bank.example",
  ])
  func `a fallback that is no web address is ignored`(fallback: String) throws {
    let url = bank.replacing("https%3A%2F%2Fbank.example%2Fp", with: fallback)
    #expect(try policy().decide(NavigationRequest(url: url)) == outside(url, .left))
  }

  @Test(arguments: ["component=com.bank/.Pay;", "SEL;", "COMPONENT=x;", "sel;"])
  func `an intent that aims at a part of an app is blocked`(part: String) throws {
    let url = bank.replacing("package=", with: "\(part)package=")
    #expect(try policy().decide(NavigationRequest(url: url)) == .block)
  }

  @Test(arguments: [
    "upi://pay?pa=x", "bankapp://auth?t=1", "tel:123", "mailto:a@b.example", "market://details",
    "itms-apps://x", "BANKAPP://auth",
  ])
  func `an app's address opens outside and ends as left`(url: String) throws {
    #expect(try policy().decide(NavigationRequest(url: url)) == outside(url, .left))
  }

  @Test(arguments: [
    "file:///etc/hosts", "content://x/y", "javascript:alert(1)", "data:text/html,x", "blob:x",
    "about:blank", "JavaScript:alert(1)", "FILE:///etc/hosts", "view-source:https://a/",
    "filesystem:https://a/", "intent:nothing",
  ])
  func `what reads the device or runs as script goes nowhere`(url: String) throws {
    for target in [NavigationRequest.Target.mainFrame, .newWindow] {
      #expect(try policy().decide(NavigationRequest(url: url, target: target)) == .block)
    }
  }

  @Test(arguments: [
    "intent://pay#Intent;scheme=bankapp;end", "upi://pay?pa=x", "bankapp://auth", "tel:1",
    "javascript:alert(1)", "https://bank.example/", "https://shop.example/thanks",
    "data:text/html,x", "blob:x",
  ])
  func `nothing in a frame opens or ends anything`(url: String) throws {
    #expect(
      try policy().decide(NavigationRequest(url: url, target: .subframe)) == .block)
  }

  @Test(arguments: ["about:blank", "about:srcdoc"])
  func `an empty frame loads`(url: String) throws {
    #expect(try policy().decide(NavigationRequest(url: url, target: .subframe)) == .load)
  }
}

@Suite("One showing of the page, from its opening to its end")
struct OriginOnlySessionTests {
  private let paid = PageMessage(payment: "pay_1", state: "paid", isFinal: true)
  private let open = PageMessage(payment: "pay_1", state: "created", isFinal: false)

  private func session() throws -> PageSession { PageSession(try policy()) }

  @Test func `final is false until the page has spoken`() throws {
    var silent = try session()
    let closing = silent.close()
    #expect(closing?.reason == .closed)
    #expect(closing?.isFinal == false)
  }

  @Test func `the last word counts`() throws {
    for (words, isFinal) in [([open, paid], true), ([paid, open], false)] {
      var session = try session()
      for word in words {
        let isTaken = session.hear(word, from: "\(sandbox)/c/1", isMainFrame: true)
        #expect(isTaken)
      }
      let closing = session.close()
      #expect(closing?.isFinal == isFinal)
    }
  }

  @Test func `only the checkout's own main frame is heard`() throws {
    var session = try session()
    let foreign = session.hear(paid, from: "https://evil.example/", isMainFrame: true)
    let framed = session.hear(paid, from: "\(sandbox)/c/1", isMainFrame: false)
    let closing = session.close()
    #expect(!foreign)
    #expect(!framed)
    #expect(session.message == nil)
    #expect(closing?.isFinal == false)
  }

  @Test(arguments: [
    ("https://bank.example/", PageSessionEnd.left), ("https://shop.example/thanks?x", .returned),
    ("bankapp://auth", .left),
  ])
  func `a way out ends it once, and nothing loads after it`(
    url: String, reason: PageSessionEnd
  ) throws {
    var session = try session()
    _ = session.hear(paid, from: sandbox, isMainFrame: true)
    let decision = session.navigate(to: NavigationRequest(url: url))
    #expect(decision == outside(url, reason))
    #expect(session.closing?.reason == reason)
    #expect(session.closing?.isFinal == true)
    let again = session.close()
    let isTaken = session.hear(open, from: sandbox, isMainFrame: true)
    let later = session.navigate(to: NavigationRequest(url: "\(sandbox)/c/1"))
    #expect(again == nil)
    #expect(!isTaken)
    #expect(later == .block)
    #expect(session.closing?.isFinal == true)
  }

  @Test func `a receipt, a frame and a blocked address end nothing`() throws {
    var session = try session()
    for request in [
      NavigationRequest(url: "\(sandbox)/receipts/1"),
      NavigationRequest(url: "javascript:alert(1)"),
      NavigationRequest(url: "https://bank.example/", target: .subframe),
    ] {
      _ = session.navigate(to: request)
      #expect(session.closing == nil)
    }
    let page = session.navigate(to: NavigationRequest(url: "\(sandbox)/c/2"))
    let closing = session.close()
    let again = session.close()
    #expect(page == .load)
    #expect(closing?.reason == .closed)
    #expect(again == nil)
  }
}

@Suite("Futa's row in the table of presentations")
struct FutaPresentationTests {
  @Test func `its page is shown in a web view for the checkout's origin alone`() {
    #expect(PresentationRule.recommended(for: .futa) == .webView)
    #expect(PresentationRule.rule(provider: .futa, strategy: .systemBrowser) == nil)
    let rule = PresentationRule.rule(provider: .futa, strategy: .webView)
    #expect(rule?.pageScope == .checkoutOrigin)
    #expect(rule?.returnMode == .originAndPath)
    #expect(rule?.teardown == .atOnce)
    for rule in PresentationRule.all where rule.provider == .tabby {
      #expect(rule.pageScope == .anyWebPage)
    }
  }
}
