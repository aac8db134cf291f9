import Testing

@testable import Bootstrap

@Suite("The program that till open starts")
struct BrowserTests {
  @Test(
    arguments: [
      (nil, "/a:/b", "/b/xdg-open"), ("", "/a:/b", "/b/xdg-open"), ("links", "/a:/b", "/a/links"),
      ("/b/w3m", "/a", "/b/w3m"), ("./w3m", "/b", nil), ("links; reboot", "/a:/b", nil),
      ("links", nil, nil), ("none", "/a:/b", nil),
    ] as [(String?, String?, String?)])
  func `it is BROWSER or xdg-open, and a path or in PATH`(
    browser: String?, path: String?, program: String?
  ) {
    let there = ["/b/xdg-open", "/a/links", "/b/links", "/b/w3m"]
    var variables: [String: String] = [:]
    variables["BROWSER"] = browser
    variables["PATH"] = path
    #expect(TillProgram.browser(variables, exists: there.contains) == program)
  }
}
