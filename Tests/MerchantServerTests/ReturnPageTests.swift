import HTTPExchange
import MerchantServer
import TestSupport
import Testing

@Suite("The page that leads back to the app")
struct ReturnPageTests {
  private func page(_ target: String) async throws -> HTTPResponse {
    var response = HTTPResponse(status: 0)
    try await ServerWorld.run { world in
      response = try await world.send("GET", target, token: nil)
    }
    return response
  }

  private func text(_ target: String) async throws -> String {
    String(decoding: try await page(target).body, as: UTF8.self)
  }

  @Test(arguments: ["success", "cancel", "failure"])
  func `each outcome has one, which goes on by itself and has a button`(
    outcome: String
  ) async throws {
    let response = try await page("/return/\(outcome)?attempt=7")
    #expect(response.status == 200)
    #expect(response.headers["Location"] == nil)
    let html = String(decoding: response.body, as: UTF8.self)
    let link = "shop://return/\(outcome)?attempt=7"
    #expect(html.contains("<meta http-equiv=\"refresh\" content=\"0; url=\(link)\">"))
    #expect(html.contains("<a href=\"\(link)\">Open the app</a>"))
  }

  @Test func `no other word has one`() async throws {
    #expect(try await page("/return/other").status == 404)
    #expect(try await page("/return/successful").status == 404)
  }

  // A link is what the two attributes say once a browser has read them, so each row is the text
  // that stands in the document.
  @Test(
    arguments: [
      ("", ""), ("?", "?"), ("?a=1&b=2&a=3", "?a=1&amp;b=2&amp;a=3"),
      ("?a=1?b=2", "?a=1?b=2"), ("?q=a+b%20c%2B%zz", "?q=a+b%20c%2B%zz"),
      ("?x=\"><script>alert(1)</script>", "?x=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("?x='", "?x=&#39;"), ("?x=&quot;", "?x=&amp;quot;"), ("?next=https://evil.example", nil),
      ("?x=;url=javascript:alert(1)", nil),
    ] as [(String, String?)])
  func `the query stays as it came, byte for byte`(query: String, written: String?) async throws {
    let link = "shop://return/success\(written ?? query)"
    let html = try await text("/return/success\(query)")
    #expect(html.contains("content=\"0; url=\(link)\">"))
    #expect(html.contains("<a href=\"\(link)\">"))
    #expect(!html.contains("<script"))
  }

  @Test func `it is kept nowhere, tells nobody, runs no script and stands in no frame`()
    async throws
  {
    let headers = try await page("/return/success?attempt=7").headers
    #expect(headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(headers["Cache-Control"] == "no-store")
    #expect(headers["Referrer-Policy"] == "no-referrer")
    #expect(headers["X-Content-Type-Options"] == "nosniff")
    #expect(headers["X-Frame-Options"] == "DENY")
    let policy = try #require(headers["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none';"))
    #expect(policy.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("script-src"))
  }

  @Test func `it is read aloud as what it is, and says no outcome`() async throws {
    let pages = [
      try await text("/return/success"), try await text("/return/failure"),
      try await text("/return/cancel"),
    ]
    let html = pages[0]
    #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    for tag in ["<h1>", "<main>", "<title>", "<a ", "name=\"viewport\""] {
      #expect(html.components(of: tag) == 1, "\(tag)")
    }
    #expect(!html.contains("user-scalable"))
    #expect(html.replacing("success", with: "failure") == pages[1])
    #expect(html.replacing("success", with: "cancel") == pages[2])
  }
}

extension String {
  /// How often `part` stands in the text.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
