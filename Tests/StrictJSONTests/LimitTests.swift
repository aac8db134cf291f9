import StrictJSON
import Testing

@Suite("Limits of JSON texts")
struct LimitTests {
  static func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
    Array(
      (String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)).utf8)
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")], [0, 2, 64, 128])
  func `the depth limit holds at the limit and refuses one more`(
    brackets: (String, String), limit: Int
  ) throws {
    let levels = brackets.0.first == "[" && brackets.0.count > 1 ? 2 : 1
    let limits = JSONLimits(depthMax: limit)
    _ = try JSONValue(
      parsing: Self.nested(limit / levels, brackets.0, brackets.1), limits: limits)
    let error = #expect(throws: JSONError.self) {
      try JSONValue(
        parsing: Self.nested(limit / levels + 1, brackets.0, brackets.1), limits: limits)
    }
    #expect(error?.reason == "depth over the limit")
  }

  @Test func `a depth limit over 128 is a bug of the caller`() async {
    await #expect(processExitsWith: .failure) {
      _ = try JSONValue(parsing: [0x30], limits: JSONLimits(depthMax: 129))
    }
  }

  @Test func `depth counts what is open, not what was`() throws {
    let text = Array("[[[]],[[]],{\"a\":[]}]".utf8)
    _ = try JSONValue(parsing: text, limits: JSONLimits(depthMax: 3))
  }

  @Test func `a million open brackets end at the limit`() {
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20))
    }
    #expect(error == JSONError("depth over the limit", offset: 64))
  }

  @Test func `the length limit holds at the limit and refuses one more`() throws {
    let limits = JSONLimits(bytesMax: 10)
    _ = try JSONValue(parsing: Array("\"12345678\"".utf8), limits: limits)
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: Array("\"123456789\"".utf8), limits: limits)
    }
    #expect(error == JSONError("length over the limit", offset: 10))
  }

  @Test func `the limits are 1 MiB and 64 levels unless told`() {
    #expect(JSONLimits() == JSONLimits(bytesMax: 1_048_576, depthMax: 64))
  }
}
