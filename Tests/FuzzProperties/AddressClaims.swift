import CheckoutLifecycle
import HTTPExchange
import PaymentModels
import ProviderInterface

/// Puts a text through every reader of addresses; the first byte says which.
func checkAddresses(_ bytes: [UInt8]) throws(BrokenClaim) {
  var input = FuzzInput(bytes)
  switch input.choice(of: 4) {
  case 0: try checkReturns(input.text())
  case 1: try checkNavigation(&input)
  case 2: try checkOrigins(input.text())
  default: try checkNumericAddresses(input.text())
  }
}

/// Return URLs as payments register them, on the web and with a scheme of the app's own, and the
/// origins that they lie on.
let registeredReturns: [(urls: ReturnURLs, origins: [String])] = [
  (
    ReturnURLs(
      success: "https://shop.example/pay/done", cancel: "https://shop.example/pay",
      failure: "https://shop.example:8443/pay/done?order=7"),
    ["https://shop.example", "https://shop.example:8443"]
  ),
  (
    ReturnURLs(
      success: "myshop://checkout/success?order=1", cancel: "myshop://checkout/cancel",
      failure: "myshop:failed"), ["myshop://checkout", "myshop:"]
  ),
]

/// What is called a return lies on an origin that was registered, however it is spelt; and another
/// spelling of the same address is the same return.
private func checkReturns(_ text: String) throws(BrokenClaim) {
  for (urls, origins) in registeredReturns {
    for mode in ReturnURLMatcher.Mode.allCases {
      let matcher = ReturnURLMatcher(urls, mode: mode)
      guard let seen = matcher.match(text) else { continue }
      let allowed = mode == .scheme ? ["myshop:"] : origins
      try hold(
        allowed.contains { isUnder($0, text) }, "a return lies on an origin that was registered")
      for (claim, other) in respelt(text, seen.parameters) {
        try hold(matcher.match(other) == seen, claim)
      }
    }
  }
}

/// Other texts for the address that `text` is.
private func respelt(
  _ text: String, _ parameters: [CheckoutReturn.Parameter]
) -> [(claim: String, text: String)] {
  let bytes = Array(text.utf8)
  let bare = bytes.prefix { $0 != UInt8(ascii: "#") }
  let head = String(decoding: bare.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
  let scheme = head.utf8.prefix { $0 != UInt8(ascii: ":") }.count
  let query = parameters.map { "\(QueryText.encode($0.name))=\(QueryText.encode($0.value))" }
    .joined(separator: "&")
  return [
    ("a fragment does not count", String(decoding: bare, as: UTF8.self) + "#f?a=b"),
    ("a query that is written anew says the same", "\(head)?\(query)"),
    (
      "the case of a scheme does not count",
      String(decoding: bytes.prefix(scheme), as: UTF8.self).uppercased()
        + String(decoding: bytes.dropFirst(scheme), as: UTF8.self)
    ),
  ]
}

/// Whether `text` begins with an origin and goes on with something that belongs to no host. Told
/// from the bytes alone, so that it shares no mistake with what it judges.
func isUnder(_ origin: String, _ text: String) -> Bool {
  let bytes = text.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
  guard bytes.starts(with: origin.utf8) else { return false }
  var rest = bytes.dropFirst(origin.utf8.count)
  if origin.hasSuffix(":") { return true }
  let hasPort = origin.split(separator: ":").count == 3
  if !hasPort, rest.first == UInt8(ascii: ":") {
    let digits = rest.dropFirst().prefix { (48...57).contains($0) }
    rest = rest.dropFirst(1 + digits.count)
    let number = digits.drop { $0 == UInt8(ascii: "0") }
    let ownPort = origin.hasPrefix("https:") ? "443" : ""
    guard number.isEmpty && digits.isEmpty || number.elementsEqual(ownPort.utf8) else {
      return false
    }
  }
  return rest.first.map { "/?#".utf8.contains($0) } ?? true
}

/// An origin that was read is read back as the same one, and every reader calls it the same.
private func checkOrigins(_ text: String) throws(BrokenClaim) {
  if let origin = webOrigin(of: text) {
    try hold(webOrigin(of: origin) == origin, "an origin's origin is itself")
    try hold(webOrigin(of: origin + "/a?b#c") == origin, "a path leaves the origin as it is")
  }
  if let base = BaseURL(text) {
    try hold(BaseURL(base.text)?.text == base.text, "a base URL is read back")
    try hold(webOrigin(of: base.text) != nil, "a base URL has an origin")
  }
  for platform in [CheckoutOrigin.Platform.iOS, .android(isDebuggable: true)] {
    guard let origin = CheckoutOrigin(text, on: platform) else { continue }
    try hold(origin.covers(text) && origin.covers(text + "/pay"), "an origin covers its pages")
    try hold(!origin.covers(text + "x.example/"), "a longer host is another one")
    let isWeb = ["https://", "http://127.0.0.1:", "http://localhost:", "http://10.0.2.2:"]
      .contains { text.lowercased().hasPrefix($0) }
    try hold(isWeb, "a trusted origin is https or the developer's own machine")
  }
}

/// Any spelling of an address is in the block of that address alone; and nobody but a trusted
/// proxy says who a caller is.
private func checkNumericAddresses(_ text: String) throws(BrokenClaim) {
  if let address = IPAddress(text) {
    try hold(IPRange(text)?.contains(address) == true, "an address is a block of one")
    try hold(IPAddress(" " + text) == nil, "white space is no part of an address")
    try hold(address.network.network == address.network, "a network's network is itself")
    if !text.contains(":") {
      try hold(IPAddress("::ffff:" + text) == address, "both spellings of version 4 are one value")
    }
  }
  if let range = IPRange(text),
    let start = text.split(separator: "/").first.flatMap({ IPAddress($0) })
  {
    try hold(range.contains(start), "a block holds the address that it begins with")
  }
  let peer = "203.0.113.9"
  let request = HTTPRequest(
    method: "GET", target: "/", headers: ["X-Forwarded-For": text], peer: peer)
  try hold(
    request.client(behind: []) == IPAddress(peer), "without trusted proxies the peer is the caller")
  if let proxies = IPRange("203.0.113.0/24"), let client = request.client(behind: [proxies]) {
    try hold(
      client == IPAddress(peer) || text.contains(".") || text.contains(":"),
      "a caller behind a proxy stands in its header")
  }
}
