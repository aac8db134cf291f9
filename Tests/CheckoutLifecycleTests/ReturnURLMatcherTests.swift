import CheckoutLifecycle
import PaymentModels
import TestSupport
import Testing

@Suite("FB-17 Return-URL matching: prefix, host tricks, case")
struct ReturnURLMatcherTests {
  private let none = "none:registered"

  private func matcher(success: String, cancel: String? = nil) -> ReturnURLMatcher {
    ReturnURLMatcher(ReturnURLs(success: success, cancel: cancel ?? none, failure: none))
  }

  @Test(
    arguments: FieldBugRows.returnSpellings + [
      "https://shop.example.com:/pay/done",
      "https://shop.example.com/pay/done#?payment_id=x",
    ])
  func `1: spellings of the registered URL match`(seen: String) {
    #expect(matcher(success: "https://shop.example.com/pay/done").match(seen)?.kind == .success)
  }

  @Test(
    arguments: FieldBugRows.returnLookAlikes + [
      "https://shop.example.com/pay/done\u{0}",
      "https://shop.example.com/pay/\tdone",
      "https://user@shop.example.com/pay/done",
      "https://shop.example.com:99999/pay/done",
      "https://shop.example.com:+443/pay/done",
      "https://shop.example.com/pay/done/%2e%2e/x",
      "https://shop.example.com/pay/done/%zz",
      "https:/shop.example.com/pay/done",
      "https:///pay/done",
      "//shop.example.com/pay/done",
      "/pay/done",
      "",
    ])
  func `2: look-alikes do not match`(seen: String) {
    #expect(matcher(success: "https://shop.example.com/pay/done").match(seen) == nil)
  }

  @Test(arguments: FieldBugRows.returnSchemes)
  func `3: scheme and host of a custom scheme ignore case, its path does not`(
    seen: String, matches: Bool
  ) {
    #expect((matcher(success: "MyApp://Pay/Result").match(seen) != nil) == matches)
  }

  @Test func `4: the longest registered URL wins`() {
    let both = matcher(success: "https://d.example/", cancel: "https://d.example/cancel")
    #expect(both.match("https://d.example/cancel?s=1")?.kind == .cancel)
    #expect(both.match("https://d.example/cancelled")?.kind == .success)
    #expect(both.match("https://d.example")?.kind == nil)
  }

  @Test func `parameters come as hints, broken ones are left out`() {
    let link = matcher(success: "myapp:done").match("myapp:done?payment_id=a%20b&bad=%g&flag#x=1")
    #expect(
      link?.parameters == [
        CheckoutReturn.Parameter(name: "payment_id", value: "a b"),
        CheckoutReturn.Parameter(name: "flag", value: ""),
      ])
  }

  // A provider that adds its parameters may not look what is there already.
  @Test(
    arguments: [
      ("?a=1?payment_id=A1", ["a=1", "payment_id=A1"]), ("?payment_id=A1&", ["payment_id=A1"]),
      ("??payment_id=A1", ["payment_id=A1"]), ("?a=b=c", ["a=b=c"]),
      ("?payment_id=A1#payment_id=B2", ["payment_id=A1"]), ("#?payment_id=A1", []),
      ("?payment_id=A+1", ["payment_id=A+1"]), ("?payment_id=A%2B1", ["payment_id=A+1"]),
      ("?payment_id=A1&payment_id=B2", ["payment_id=A1", "payment_id=B2"]),
      ("?payment_id=%A1&status=%zz&x=%", []), ("?payment_id=%C3%A9", ["payment_id=\u{E9}"]),
      ("?=A1&payment_id", ["=A1", "payment_id="]),
    ])
  func `a match does not depend on what stands behind the path, which is read as hints`(
    tail: String, expected: [String]
  ) {
    let link = matcher(success: "myapp://pay/done").match("myapp://pay/done\(tail)")
    #expect(link?.kind == .success)
    #expect(link?.parameters.map { "\($0.name)=\($0.value)" } == expected)
  }

  // Futa: "its origin and path".
  @Test(
    arguments: [
      ("https://shop.example/thanks?x#y", true), ("HTTPS://SHOP.example:443/thanks", true),
      ("https://shop.example/thanks/", false), ("https://shop.example/thanks/more", false),
      ("https://shop.example/Thanks", false), ("https://shop.example/%74hanks", false),
      ("https://shop.example:8443/thanks", false), ("https://shop.example", false),
    ])
  func `by origin and path, neither more nor less`(seen: String, matches: Bool) {
    let urls = ReturnURLs(success: "https://shop.example/thanks", cancel: none, failure: none)
    #expect((ReturnURLMatcher(urls, mode: .originAndPath).match(seen) != nil) == matches)
  }

  private static let own = ReturnURLs(
    success: "tebexpay://complete", cancel: "tebexpay://cancel", failure: "tebexpay://cancel")

  // Tebex: `callbackURLScheme: "tebexpay"`; "the redirect may carry query params".
  @Test(
    arguments: [
      ("tebexpay://complete", CheckoutReturn.Kind?.some(.success)),
      ("tebexpay://cancel?x=1", .cancel), ("TEBEXPAY://CANCEL/y", .cancel),
      ("tebexpay://else", .success), ("tebexpay:", .success), ("otherapp://complete", nil),
      ("https://complete", nil),
    ])
  func `by scheme, as a session matches its callback`(seen: String, kind: CheckoutReturn.Kind?) {
    #expect(ReturnURLMatcher(Self.own, mode: .scheme).match(seen)?.kind == kind)
  }

  @Test func `a session can wait for one scheme, and for none of the web`() {
    #expect(ReturnURLMatcher(Self.own).callbackScheme == "tebexpay")
    let mixed = ReturnURLs(success: "a://x", cancel: "b://x", failure: "a://x")
    let web = ReturnURLs(success: "https://x/a", cancel: "https://x/b", failure: "https://x/c")
    for urls in [mixed, web] {
      #expect(ReturnURLMatcher(urls, mode: .scheme).callbackScheme == nil)
      #expect(ReturnURLMatcher(urls, mode: .scheme).match(urls.success) == nil)
    }
  }

  @Test(arguments: [(8_192, true), (8_193, false)])
  func `a URL over the limit is none of ours`(bytes: Int, matches: Bool) {
    let start = "https://shop.example.com/pay/done?x="
    let url = start + String(repeating: "y", count: bytes - start.utf8.count)
    let found = matcher(success: "https://shop.example.com/pay/done").match(url)
    #expect((found != nil) == matches)
  }

  @Test(arguments: ["http://\u{212A}.example/a", "\u{212A}app://x"])
  func `letters that fold into ASCII are other letters`(seen: String) {
    #expect(matcher(success: "http://k.example/a").match(seen) == nil)
    #expect(matcher(success: "kapp://x").match(seen) == nil)
  }
}
