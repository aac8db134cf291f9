import HTTPExchange
import MerchantAPI
import StrictJSON
import TestSupport
import Testing

@Suite("What the server says of itself")
struct OpenAPIRouteTests {
  @Test func `the document is served to anybody as it is made`() async throws {
    try await ServerWorld.run { world in
      let answer = try await world.send("GET", "/openapi.json", token: nil)
      #expect(answer.headers["Content-Type"] == "application/json")
      #expect(try JSONValue(parsing: answer.body) == OpenAPIDocument.json)
    }
  }

  @Test func `the type of every problem leads to a page for people`() async throws {
    try await ServerWorld.run { world in
      for page in ProblemPage.all {
        let answer = try await world.send("GET", page.path, token: nil)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200)
        #expect(text.contains("<h1>\(page.title)</h1>"))
        #expect(text.contains("lang=\"en\"") && text.contains("<h2>What to do</h2>"))
      }
      #expect(try await world.send("GET", "/problems/nothing", token: nil).status == 404)
    }
  }

  @Test func `the words for states are those of the store`() async throws {
    try await ServerWorld.run { world in
      for (list, words) in [
        ("webhooks", APISchemas.webhookStates), ("messages", APISchemas.messageStates),
      ] {
        for word in words {
          #expect(try await world.send("GET", "/v1/\(list)?state=\(word)").status == 200)
        }
        let detail = try await world.get("/v1/\(list)?state=strange")["detail"]?.text
        #expect(detail == "?state= takes one of \(words.joined(separator: ", ")).")
      }
    }
  }
}
