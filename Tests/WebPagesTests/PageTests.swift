import HTTPExchange
import KitEnvironment
import TestSupport
import Testing
import WebPages

@Suite("The frame of the kit's own pages")
struct PageTests {
  private let assets = PageAssets(folder: "/pages/assets", hashing: .weakForTests)

  @Test func `a text never becomes markup, in content or in an attribute`() {
    let text = "\"'><script>&\u{202E}"
    let page: HTML = "<a title=\"\(text)\">\(text)</a>"
    let safe = "&quot;&#39;&gt;&lt;script&gt;&amp;\u{FFFD}"
    #expect(page.text == "<a title=\"\(safe)\">\(safe)</a>")
  }

  @Test func `pieces, and what is there on a condition, stay markup`() {
    let pieces: [HTML] = ["<b>", "</b>"]
    let none: HTML? = nil
    let page: HTML = "\(pieces)\(none)\(if: true, "<i>")\(if: false, "<u>")"
    #expect(page.text == "<b></b><i>")
  }

  @Test func `a document loads files of its own version alone`() throws {
    let page = assets.document(title: "A & B", body: "<main></main>", status: 404)
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(page.status == 404)
    #expect(text.contains("<title>A &amp; B · Tillkit</title>"))
    #expect(page.headers["Content-Security-Policy"] == PageAssets.contentPolicy)
    for name in PageAssets.Name.allCases {
      let path = assets.path(name)
      #expect(text.contains("\"\(path)\""))
      let parts = path.split(separator: "/").map(String.init)
      #expect(parts.dropLast(2) == ["pages", "assets"])
      let file = try #require(assets.response(parts[2], parts[3]))
      #expect(file.headers["Cache-Control"]?.contains("immutable") == true)
      #expect(!file.body.isEmpty)
      #expect(assets.response("another", parts[3]) == nil)
      #expect(assets.response(parts[2], "another.css") == nil)
    }
  }

  @Test func `another style has another address`() {
    let other = PageAssets(
      folder: "/pages/assets", moreStyle: "b { color: red }", hashing: .weakForTests)
    #expect(other.path(.style) != assets.path(.style))
  }

  @Test(
    arguments: [
      (["Sec-Fetch-Site": "same-origin"], true),
      (["Sec-Fetch-Site": "cross-site"], false),
      (["Sec-Fetch-Site": "same-site", "Origin": "http://shop.test"], false),
      (["Origin": "http://shop.test"], true),
      (["Origin": "https://shop.test"], true),
      (["Origin": "https://shop.test.evil.test"], false),
      (["Origin": "null"], false),
      (["Sec-Fetch-Site": "same-origin", "Origin": "https://evil.test"], false),
      ([:], false),
    ] as [(HTTPHeaders, Bool)])
  func `a form counts only if it came from a page of the same address`(
    headers: HTTPHeaders, isOwn: Bool
  ) {
    var headers = headers
    headers.add("Host", "shop.test")
    let request = HTTPRequest(method: "POST", target: "/", headers: headers)
    #expect(request.isFromOwnPage == isOwn)
  }

  @Test func `a field of a form is read once decoded, and is nil if it is not there`() {
    let request = HTTPRequest(
      method: "POST", target: "/", headers: [:], body: Array("a=1+2%26&a=3&b=".utf8))
    #expect(request.form("a") == "1 2&")
    #expect(request.form("b") == "")
    #expect(request.form("c") == nil)
  }

  @Test func `an empty list says so instead`() {
    #expect(PageWording.list(["Id"], [], none: "Nothing.").text.contains("Nothing."))
    #expect(
      PageWording.list(["Id"], ["<tr></tr>"], none: "Nothing.").text
        .hasPrefix("<table class=\"list\"><thead><tr><th scope=\"col\">Id</th>"))
  }
}
