import HTTPExchange
import Testing

@Suite("Header fields")
struct HTTPHeadersTests {
  @Test func `names compare without case, values and order stay as they are`() {
    let headers: HTTPHeaders = ["Content-Type": "text/A", "X-B": "1", "content-type": "text/b"]
    #expect(headers["CONTENT-TYPE"] == "text/A")
    #expect(headers.values("Content-type") == ["text/A", "text/b"])
    #expect(headers.fields.map(\.name) == ["Content-Type", "X-B", "content-type"])
    #expect(headers["Content-Typ"] == nil && headers.values("x") == [])
  }

  @Test func `setting replaces every field of the name, nil removes them`() {
    var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
    headers["a"] = "4"
    #expect(headers.fields.map(\.name) == ["B", "a"] && headers["A"] == "4")
    headers["A"] = nil
    #expect(headers.fields.map(\.name) == ["B"])
    headers["C"] = nil
    headers.add("b", "5")
    #expect(headers.values("B") == ["2", "5"])
  }

  @Test(
    arguments: [
      // Only A–Z folds: not the neighbours of the letters, and no letter outside ASCII.
      ("@", "`"), ("[", "{"), ("É", "é"), ("\u{212A}", "k"), ("ı", "I"), ("é", "e\u{301}"),
      ("X-A", "X_A"), ("", "a"),
    ])
  func `other characters must be the same`(left: String, right: String) {
    var headers = HTTPHeaders()
    headers.add(left, "1")
    #expect(headers[left] == "1" && headers[right] == nil)
  }
}

@Suite("Requests")
struct HTTPRequestTests {
  @Test(
    arguments: [
      ("/", "/", []), ("/a/b", "/a/b", []), ("/a?", "/a", []), ("/a?x=1", "/a", ["x=1"]),
      ("/a?x=1?y=2", "/a", ["x=1?y=2"]), ("/%3F?x", "/%3F", ["x="]),
      ("/a?\u{301}=1", "/a", ["\u{301}=1"]),
    ])
  func `the target is path and query`(target: String, path: String, query: [String]) {
    let request = HTTPRequest(method: "GET", target: target)
    #expect(request.path == path)
    #expect(request.query.map { "\($0.name)=\($0.value)" } == query)
  }
}
