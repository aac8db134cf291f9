import CheckoutLifecycle
import PaymentModels
import TestSupport
import Testing

private let acs = "https://acs.bank.example/3ds"

private func policy(
  on platform: PresentationStrategy.Platform = .android, inPlace: Bool = false
) -> NavigationPolicy {
  NavigationPolicy(
    scope: .anyWebPage,
    returns: ReturnURLMatcher(
      ReturnURLs(
        success: "myapp://checkout/return", cancel: "https://shop.example/cancel",
        failure: "myapp://checkout/failure")),
    platform: platform, loadsNewWindowsInPlace: inPlace)
}

private func decide(
  _ url: String, _ target: NavigationRequest.Target = .mainFrame, hasGesture: Bool = false,
  isPost: Bool = false, depth: Int = 0, on platform: PresentationStrategy.Platform = .android
) -> NavigationDecision {
  policy(on: platform).decide(
    NavigationRequest(
      url: url, target: target, hasGesture: hasGesture, isPost: isPost, depth: depth))
}

private func outside(_ url: String) -> NavigationDecision {
  .openOutside(OutsideOpening(url: url, carrier: .system), ends: nil)
}

/// An intent as Android gets it. Tabby: a Custom Tab is "far better" than a plain browser launch.
private func intent(_ url: String, fallback: String? = nil) -> NavigationDecision {
  .openOutside(
    OutsideOpening(
      url: url, carrier: .system, fallback: fallback, fallbackCarrier: .customTab), ends: nil)
}

@Suite("A hosted page in the app's web view: returns")
struct HostedReturnTests {
  // SEB: the return URL is looked for before "non-web schemes go to the system", or
  // `myapp://checkout/return` would be thrown to it.
  @Test(
    arguments: [
      ("myapp://checkout/return?order=1", CheckoutReturn.Kind.success),
      ("MYAPP://checkout/return/more", .success), ("https://shop.example/cancel#x", .cancel),
      ("myapp://checkout/failure", .failure),
    ])
  func `a return is intercepted, and nothing of it loads`(url: String, kind: CheckoutReturn.Kind) {
    for (target, isPost, depth) in [
      (NavigationRequest.Target.mainFrame, false, 0), (.mainFrame, true, 0), (.newWindow, false, 0),
      (.mainFrame, false, 1),
    ] {
      let decision = decide(url, target, isPost: isPost, depth: depth)
      guard case .interceptReturn(let link) = decision else {
        Issue.record("\(decision)")
        continue
      }
      #expect(link.kind == kind)
    }
  }

  @Test(arguments: ["myapp://checkout/returned", "myapp://other", "https://shop.example/cancelled"])
  func `a look-alike is no return`(url: String) {
    #expect(decide(url) == (url.hasPrefix("https") ? .load : outside(url)))
  }

  @Test func `a frame never returns`() {
    #expect(decide("https://shop.example/cancel", .subframe, hasGesture: true) == .load)
    let own = "myapp://checkout/return"
    #expect(decide(own, .subframe) == .block)
    #expect(decide(own, .subframe, hasGesture: true) == outside(own))
  }

  @Test func `a return is told once, and nothing loads after it`() {
    var session = PageSession(policy())
    let seen = NavigationRequest(url: "myapp://checkout/return")
    let first = session.navigate(to: seen)
    let again = session.navigate(to: seen)
    #expect(first == .interceptReturn(CheckoutReturn(kind: .success)))
    #expect(again == .block)
    #expect(session.closing?.reason == .returned)
    let closing = session.close()
    #expect(closing == nil)
  }
}

@Suite("FB-18 Non-web schemes inside the webview: hosted")
struct HostedSchemeTests {
  private let bank =
    "intent://pay#Intent;scheme=bankapp;package=com.bank.app;"
    + "S.browser_fallback_url=https%3A%2F%2Fbank.example%2Fp;end"

  @Test(arguments: [
    "https://bank.example/login", "http://bank.example", "HTTPS://bank.example:8/x",
  ])
  func `a web page loads, the bank's included`(url: String) {
    #expect(decide(url) == .load)
    #expect(decide(url, isPost: true) == .load)
    #expect(decide(url, .subframe) == .load)
  }

  @Test func `a bank's address may be longer than a return can be`() {
    let url = "https://acs.bank.example/?" + String(repeating: "x", count: 20_000)
    #expect(decide(url) == .load)
    #expect(decide("bankapp://" + String(repeating: "x", count: 20_000)) == .block)
  }

  @Test(
    arguments: FieldBugRows.appAddresses + [
      "tel:123", "mailto:a@b.example", "market://details", "itms-apps://x", "BankApp://Auth?T=%41",
    ])
  func `an app's address opens outside as it is, and the session stays alive`(url: String) {
    #expect(decide(url) == outside(url))
    var session = PageSession(policy())
    _ = session.navigate(to: NavigationRequest(url: url))
    #expect(session.isAway)
    #expect(session.closing == nil)
    _ = session.navigate(to: NavigationRequest(url: "https://x.example/", target: .subframe))
    #expect(session.isAway)
    let next = session.navigate(to: NavigationRequest(url: acs))
    #expect(next == .load)
    #expect(!session.isAway)
  }

  @Test func `an intent goes to the system with its web address for those who lack the app`() {
    for url in [bank, bank.replacing("intent:", with: "INTENT:")] {
      #expect(decide(url) == intent(url, fallback: "https://bank.example/p"))
    }
    #expect(
      decide(bank, on: .iOS)
        == .openOutside(
          OutsideOpening(url: "https://bank.example/p", carrier: .authSession), ends: nil))
  }

  @Test(arguments: ["javascript%3Aalert(1)", "file%3A%2F%2F%2Fetc", "%zz", ""])
  func `a fallback that is no web address is ignored`(fallback: String) {
    let url = bank.replacing("https%3A%2F%2Fbank.example%2Fp", with: fallback)
    #expect(decide(url) == intent(url))
    #expect(decide(url, on: .iOS) == .block)
  }

  @Test(arguments: ["component=com.bank/.Pay;", "SEL;", "COMPONENT=x;", "sel;"])
  func `an intent that aims at a part of an app is blocked`(part: String) {
    #expect(decide(bank.replacing("package=", with: "\(part)package=")) == .block)
  }

  @Test(
    arguments: FieldBugRows.forbiddenAddresses + [
      "JavaScript:alert(1)", "FILE:///etc/hosts", "view-source:https://a/", "about:config",
      "filesystem:https://a/", "intent:nothing", "", "https:", "https:///c", "https://a b",
      "https://a\\b", "//a.example", "\u{1}https://a/",
    ])
  func `what reads the device, runs as script or cannot be read goes nowhere`(url: String) {
    for target in [NavigationRequest.Target.mainFrame, .newWindow] {
      #expect(decide(url, target, hasGesture: true) == .block)
    }
  }

  @Test(
    arguments: FieldBugRows.appAddresses + [
      "tel:1", "mailto:a@b.example", "market://details", "itms-apps://x",
    ])
  func `in a frame an app opens only after the payer's tap`(url: String) {
    #expect(decide(url, .subframe) == .block)
    #expect(decide(url, .subframe, hasGesture: true) == outside(url))
  }

  @Test(arguments: ["intent:", "INTENT:"])
  func `so does an intent`(scheme: String) {
    let url = bank.replacing("intent:", with: scheme)
    #expect(decide(url, .subframe) == .block)
    #expect(
      decide(url, .subframe, hasGesture: true) == intent(url, fallback: "https://bank.example/p"))
    let script = url.replacing("https%3A%2F%2Fbank.example%2Fp", with: "javascript%3Aalert(1)")
    #expect(decide(script, .subframe) == .block)
    #expect(decide(script, .subframe, hasGesture: true) == intent(script))
    for part in ["component=x;", "SEL;"] {
      let aimed = url.replacing("package=", with: "\(part)package=")
      for hasGesture in [false, true] {
        #expect(decide(aimed, .subframe, hasGesture: hasGesture) == .block)
      }
    }
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/hosts", "content://x/y", "intent:nothing"])
  func `in a frame too, some things never load`(url: String) {
    #expect(decide(url, .subframe, hasGesture: true) == .block)
    #expect(decide(url, .subframe) == .block)
  }
}

@Suite("FB-19 Popup and about:blank during Pay or 3-D Secure")
struct PopupTests {
  @Test func `a: an empty window is a child view, which then goes to the bank`() {
    #expect(decide("about:blank", .newWindow) == .openChild)
    #expect(decide("about:blank", depth: 1) == .load)
    #expect(decide(acs, depth: 1) == .load)
    #expect(decide(acs, .newWindow) == .openChild)
  }

  @Test func `a: loading in place is an option, and never for an empty window or a form`() {
    let inPlace = policy(inPlace: true)
    #expect(inPlace.decide(NavigationRequest(url: acs, target: .newWindow)) == .loadInPlace)
    #expect(
      inPlace.decide(NavigationRequest(url: "about:blank", target: .newWindow)) == .openChild)
    #expect(
      inPlace.decide(NavigationRequest(url: acs, target: .newWindow, isPost: true)) == .openChild)
  }

  @Test(arguments: ["https://tabby.example/receipts/1", "https://a.example/fr/receipts"])
  func `b: a receipt in a window of its own opens outside and ends nothing`(url: String) {
    #expect(
      decide(url, .newWindow) == .openReceipt(OutsideOpening(url: url, carrier: .system)))
    #expect(
      decide(url, .newWindow, on: .iOS)
        == .openReceipt(OutsideOpening(url: url, carrier: .inAppSafari)))
    #expect(decide(url) == .load)
  }

  @Test func `b: so does a file, and what only the page knows goes nowhere`() {
    let url = "https://receipt.example/r.pdf"
    for target in [NavigationRequest.Target.mainFrame, .newWindow] {
      let file = NavigationRequest(url: url, target: target, isDownload: true)
      #expect(policy().decide(file) == .openReceipt(OutsideOpening(url: url, carrier: .system)))
    }
    #expect(policy().decide(NavigationRequest(url: "blob:x", isDownload: true)) == .block)
    var session = PageSession(policy())
    _ = session.navigate(to: NavigationRequest(url: url, isDownload: true))
    #expect(session.closing == nil && !session.isAway)
    // Before its answer has come nobody knows that it is a file.
    let link = session.navigate(to: NavigationRequest(url: url, target: .newWindow))
    #expect(link == .openChild)
    #expect(session.closing == nil && !session.isAway)
  }

  @Test(
    arguments: [
      "about:blank", "about:srcdoc", "ABOUT:BLANK", "about:blank#x", acs, "data:text/html,x",
      "blob:https://a/1",
    ])
  func `c: what loads in a frame changes nothing`(url: String) {
    var session = PageSession(policy())
    let before = session
    let decision = session.navigate(to: NavigationRequest(url: url, target: .subframe))
    #expect(decision == .load)
    #expect(session == before)
  }

  @Test(arguments: [(0, NavigationDecision.openChild), (1, .openChild), (2, .block)])
  func `d: a window may open a window, and no more`(depth: Int, decision: NavigationDecision) {
    for url in ["about:blank", acs] {
      #expect(decide(url, .newWindow, hasGesture: true, depth: depth) == decision)
    }
  }

  @Test func `e: a window that closes takes nothing with it`() {
    var session = PageSession(policy())
    _ = session.navigate(to: NavigationRequest(url: acs, target: .newWindow))
    #expect(session.windows == 1)
    session.closeWindow()
    session.closeWindow()
    #expect(session.windows == 0)
    #expect(session.closing == nil)
    let next = session.navigate(to: NavigationRequest(url: acs))
    #expect(next == .load)
  }

  @Test func `an empty page is neither a return nor a failure`() {
    var session = PageSession(policy())
    let decision = session.navigate(to: NavigationRequest(url: "about:blank"))
    #expect(decision == .load)
    #expect(session.closing == nil)
  }
}

@Suite("What a page may ask of the device")
struct PagePermissionTests {
  private func record(
    _ provider: ProviderName, _ strategy: PresentationStrategy
  ) -> CheckoutRecord {
    newRecord(strategy, stage: .opened, at: provider)
  }

  // Tabby: "access the camera and pick images from the gallery"; "images only".
  @Test func `Tabby's page may ask for what its document names`() throws {
    let rules = try #require(record(.tabby, .webView).permissionPolicy)
    let page = "https://checkout.example/A1"
    #expect(
      rules.decide([.camera, .microphone], from: page, isMainFrame: true)
        == .ask([.camera, .microphone], mediaTypes: []))
    #expect(
      rules.decide([.gallery], from: page, isMainFrame: true)
        == .ask([.gallery], mediaTypes: ["image/*"]))
  }

  @Test(
    arguments: [
      ("https://acs.bank.example", true), ("https://checkout.example.evil.example", true),
      ("https://checkout.example:8443", true), ("http://checkout.example", true), ("", true),
      ("about:blank", true), ("https://checkout.example", false),
    ])
  func `nobody else may, and no frame`(url: String, isMainFrame: Bool) throws {
    let rules = try #require(record(.tabby, .webView).permissionPolicy)
    for wish in PagePermission.allCases {
      #expect(rules.decide([wish], from: url, isMainFrame: isMainFrame) == .deny)
    }
  }

  @Test(arguments: [ProviderName("tebex"), .futa, ProviderName("seb")])
  func `where the document names nothing, nothing is asked`(provider: ProviderName) throws {
    let rules = try #require(record(provider, .webView).permissionPolicy)
    for wish in PagePermission.allCases {
      #expect(rules.decide([wish], from: "https://checkout.example", isMainFrame: true) == .deny)
    }
  }

  @Test func `where the browser asks, the app has no say`() {
    for strategy in PresentationStrategy.allCases where strategy != .webView {
      #expect(record(.tabby, strategy).permissionPolicy == nil)
    }
  }
}

@Suite("The rules of a checkout's own page")
struct CheckoutPagePolicyTests {
  private let origin = CheckoutOrigin("https://checkout.example", on: .iOS)

  @Test func `they follow the table`() throws {
    for rule in PresentationRule.all {
      let record = newRecord(rule.strategy, stage: .created, at: rule.provider)
      let policy = record.navigationPolicy(on: .iOS, trusting: origin)
      guard rule.strategy == .webView else {
        #expect(policy == nil)
        continue
      }
      let page = NavigationRequest(url: try #require(record.payment?.checkoutURL))
      #expect(policy?.decide(page) == .load)
      #expect((policy?.scope == .anyWebPage) == (rule.pageScope == .anyWebPage))
      #expect(policy?.returns?.mode == rule.returnMode)
    }
  }

  @Test func `a page for one origin is not shown to an app that trusts none`() {
    #expect(
      newRecord(.webView, stage: .created, at: .futa)
        .navigationPolicy(on: .iOS, trusting: nil) == nil)
    #expect(newRecord(.webView, stage: .created).navigationPolicy(on: .iOS, trusting: nil) != nil)
    #expect(newRecord(.webView).navigationPolicy(on: .iOS, trusting: origin) == nil)
  }
}
