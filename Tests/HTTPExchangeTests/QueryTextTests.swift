import HTTPExchange
import KitEnvironment
import TestSupport
import Testing

@Suite("Query texts")
struct QueryTextTests {
  @Test(
    arguments: [
      ("", []), ("a=1", ["a=1"]), ("a=1&b=2", ["a=1", "b=2"]),
      ("b=2&a=1&b=3", ["b=2", "a=1", "b=3"]),
      ("a", ["a="]), ("a=", ["a="]), ("=1", ["=1"]), ("a=b=c", ["a=b=c"]), ("&&a=1&", ["a=1"]),
      ("a=1+2", ["a=1+2"]), ("a=%2B", ["a=+"]), ("%61=%31%26%3d", ["a=1&="]),
      ("a=%C3%A9%e2%82%ac", ["a=é€"]), ("a=é", ["a=é"]), ("a=%00", ["a=\0"]),
      // A combining mark behind a separator does not hide it.
      ("a=1&\u{301}b=\u{301}2", ["a=1", "\u{301}b=\u{301}2"]),
      // Broken escapes, and bytes that are not UTF-8, lose their pair and no other.
      ("a=%&b=1", ["b=1"]), ("a=%4&b=1", ["b=1"]), ("a=%zz&b=1", ["b=1"]), ("%=1&b=1", ["b=1"]),
      ("a=%ff&b=1", ["b=1"]), ("a=%C3&b=1", ["b=1"]), ("a=%C0%AF&b=1", ["b=1"]),
      ("a=%ED%A0%80&b=1", ["b=1"]), ("a=%+1&b=1", ["b=1"]),
    ])
  func `a query is read without guessing`(query: String, pairs: [String]) {
    #expect(QueryText.parse(query).map { "\($0.name)=\($0.value)" } == pairs)
  }

  @Test(
    arguments: [
      ("a=1+2&b+c=%2B", ["a=1 2", "b c=+"]), ("a=+\u{301}", ["a= \u{301}"]),
      ("a=%+2", [String]()),
    ])
  func `in a form a plus is a space`(body: String, pairs: [String]) {
    #expect(QueryText.parseForm(body).map { "\($0.name)=\($0.value)" } == pairs)
  }

  @Test(
    arguments: [
      ("https://d.example", "https://d.example?id=1"),
      ("https://d.example/", "https://d.example/?id=1"),
      ("https://d.example/p?", "https://d.example/p?id=1"),
      ("https://d.example/p?x=1", "https://d.example/p?x=1&id=1"),
      ("https://d.example/p?x=1&", "https://d.example/p?x=1&id=1"),
      ("https://d.example/p#top", "https://d.example/p?id=1#top"),
      ("https://d.example/p?x=%2f+%e9#a?b#c", "https://d.example/p?x=%2f+%e9&id=1#a?b#c"),
      ("https://d.example/p#a?b", "https://d.example/p?id=1#a?b"),
      ("myapp://pay/Result", "myapp://pay/Result?id=1"),
      ("https://d.example/p?\u{301}=1", "https://d.example/p?\u{301}=1&id=1"),
      ("https://d.example/p#\u{301}", "https://d.example/p?id=1#\u{301}"),
    ])
  func `a parameter goes behind the query and before the fragment`(url: String, result: String) {
    #expect(QueryText.append("id", "1", to: url) == result)
  }

  @Test func `name and value are encoded, the URL is not touched`() {
    #expect(
      QueryText.append("a b", "1&2=3#é+%/", to: "https://d.example/ü")
        == "https://d.example/ü?a%20b=1%262%3D3%23%C3%A9%2B%25%2F")
  }

  @Test func `only the unreserved characters stay`() {
    let kept = (UInt8(0)..<128).map { String(UnicodeScalar($0)) }
      .filter { QueryText.encode($0) == $0 }.joined()
    #expect(kept == "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
    #expect(QueryText.encode("\n😀") == "%0A%F0%9F%98%80")
  }

  @Test(arguments: ["%", "%4", "a%", "%g0", "%0g", "% 1", "%%41", "%FF", "%C3(", "%\u{301}41"])
  func `a broken escape is nil`(text: String) {
    #expect(QueryText.decode(text) == nil)
  }

  @Test func `what is encoded or appended is read back`() {
    let random = seededRandom(5)
    for _ in 0..<500 {
      let (name, value) = (text(random), text(random))
      #expect(QueryText.decode(QueryText.encode(name)) == name)
      let url = QueryText.append("z", "9", to: QueryText.append(name, value, to: "myapp://pay#f"))
      let query = HTTPRequest(method: "GET", target: url.replacing("#f", with: "")).query
      #expect(query.map(\.name) == [name, "z"] && query.map(\.value) == [value, "9"])
    }
  }

  private func text(_ random: RandomSource) -> String {
    (0..<random.below(8)).reduce(into: "") { text, _ in
      let bound: UInt64 = random.below(2) == 0 ? 0x80 : 0x1_0000
      text.unicodeScalars.append(Unicode.Scalar(UInt32(random.below(bound))) ?? "&")
    }
  }
}

@Suite("Transport errors")
struct HTTPTransportErrorTests {
  @Test func `an error says its kind and a constant reason`() {
    let error = HTTPTransportError(.notSent, reason: "connect refused")
    #expect(error.description == "not_sent: connect refused")
    #expect(HTTPTransportError.Kind.unknown.rawValue == "unknown")
  }

  @Test func `the limits of an exchange are 15 s and 1 MiB unless told`() {
    let request = HTTPOutgoing(method: "GET", url: "https://d.example")
    #expect(request.deadline == .seconds(15) && request.bodyBytesMax == 1_048_576)
  }
}
