import CheckoutLifecycle

private let trustedOrigin = "https://checkout.pay.example"

/// Whatever a page wants to load: only the trusted origin loads where nothing else may, a return is
/// one that the matcher knows, nothing in a frame ends the session, and what goes outside goes as
/// it was named.
func checkNavigation(_ input: inout FuzzInput) throws(BrokenClaim) {
  let request = makeRequest(&input)
  let returns = ReturnURLMatcher(
    registeredReturns[input.choice(of: registeredReturns.count)].urls,
    mode: input.choice(from: ReturnURLMatcher.Mode.allCases))
  guard let origin = CheckoutOrigin(trustedOrigin, on: .iOS) else {
    throw BrokenClaim(description: "an https origin is one")
  }
  let policy = NavigationPolicy(
    scope: input.choice(of: 2) == 0 ? .checkoutOrigin(origin) : .anyWebPage, returns: returns,
    platform: input.choice(from: PresentationStrategy.Platform.allCases),
    receipts: .init(includesNewWindows: input.choice(of: 4) == 0),
    loadsNewWindowsInPlace: input.choice(of: 2) == 0)
  var asked = request
  asked.url = input.text()
  try NavigationJudge(policy: policy, request: asked, isReturn: returns.match(asked.url) != nil)
    .check(policy.decide(asked))
}

private func makeRequest(_ input: inout FuzzInput) -> NavigationRequest {
  let flags = input.byte()
  return NavigationRequest(
    url: "", target: input.choice(from: [.mainFrame, .subframe, .newWindow]),
    hasGesture: flags & 1 != 0, isPost: flags & 2 != 0, isDownload: flags & 4 != 0,
    depth: Int(flags >> 6))
}

private struct NavigationJudge {
  let policy: NavigationPolicy
  let request: NavigationRequest
  let isReturn: Bool

  private var isOriginOnly: Bool { policy.scope != .anyWebPage }
  private var isFrame: Bool { request.target == .subframe }

  func check(_ decision: NavigationDecision) throws(BrokenClaim) {
    if decision == .block { return }
    try hold(
      request.url.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") },
      "what two programs may read differently goes nowhere")
    try hold(!begins("javascript:", "file:", "content:", "vbscript:"), "no script, no device file")
    switch decision {
    case .load, .loadInPlace: try checkLoad()
    case .block: break
    case .openChild:
      try hold(
        !isOriginOnly && request.target == .newWindow
          && request.depth < NavigationPolicy.depthMax, "windows are few, and of new windows")
    case .interceptReturn: try hold(isReturn && !isFrame, "a return is known, and is no frame's")
    case .openReceipt(let opening):
      try hold(opening.url == request.url && begins("http:", "https:"), "a receipt is a web page")
    case .openOutside(let opening, let end): try checkOutside(opening, end)
    }
  }

  private func checkLoad() throws(BrokenClaim) {
    let isEmpty = begins("about:blank", "about:srcdoc")
    if isOriginOnly {
      try hold(
        isUnder(trustedOrigin, request.url) || isFrame && isEmpty,
        "nothing but the trusted origin loads")
    } else {
      try hold(
        begins("http://", "https://") || isEmpty || isFrame && begins("data:", "blob:"),
        "only web pages load")
      try hold(isFrame || !isReturn, "a return does not load")
    }
  }

  private func checkOutside(
    _ opening: OutsideOpening, _ end: PageSessionEnd?
  ) throws(BrokenClaim) {
    let isFallback = begins("intent:") && isWeb(opening.url)
    try hold(opening.url == request.url || isFallback, "what goes outside goes as it was named")
    try hold(opening.fallback.map(isWeb) ?? true, "a fallback is a web page")
    try hold(
      !isFrame || !isOriginOnly && request.hasGesture && end == nil,
      "a frame goes nowhere without a tap, and ends nothing")
    try hold(end != .returned || isReturn, "only a return ends as one")
  }

  private func isWeb(_ url: String) -> Bool {
    ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
  }

  private func begins(_ prefixes: String...) -> Bool {
    let url = request.url.lowercased()
    return prefixes.contains { url.hasPrefix($0) }
  }
}
