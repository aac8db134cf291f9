import StrictJSON
import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Comments in files of settings")
struct CommentLineTests {
  @Test(arguments: [
    ("{}", "{}"), ("// one\n{}", "      \n{}"), ("  \t// one\n{}\n//", "         \n{}\n  "),
    ("{} // not alone on its line", "{} // not alone on its line"),
    ("{\"a\": \"// in a text\"}", "{\"a\": \"// in a text\"}"), ("/ / {}", "/ / {}"), ("", ""),
    ("//\r\n{}", "   \n{}"), ("// \u{FC}\n{}", "     \n{}"), ("\n\n//x\n", "\n\n   \n"),
  ])
  func `a line that begins with two strokes is blank`(text: String, plain: String) {
    #expect(String(decoding: blankingComments(Array(text.utf8)), as: UTF8.self) == plain)
  }

  @Test func `no text becomes readable by a comment`() {
    let text = "{\"a\": \"one\n// two\n\"}"
    #expect(throws: JSONError.self) { try JSONValue(parsing: blankingComments(Array(text.utf8))) }
  }

  @Test(arguments: [
    ("", "text ends too early at line 1, column 1"),
    ("// one\n{\"a\": tru}", "unexpected byte at line 2, column 10"),
    ("// \u{FC}\n  // two\n{\n  \"\u{FC}\u{FC}\": 01}", "leading zero at line 4, column 9"),
    ("{}\n// one\n{}", "bytes after the value at line 3, column 1"),
    ("{\"a\": 1} // two", "bytes after the value at line 1, column 10"),
  ])
  func `what is no JSON is shown where it stands`(settings: String, end: String) async throws {
    try await withTemporaryDirectory { directory in
      var files = ShopFiles()
      files.settings = settings
      let refusal = try files.refusal(in: directory)
      #expect(refusal?.setting == "--config")
      #expect(refusal?.reason == "the file \(directory)/till-server.json is not JSON: \(end)")
    }
  }

  @Test func `each of a shop's files may have comments`() async throws {
    try await withTemporaryDirectory { directory in
      var files = ShopFiles()
      for file in [\ShopFiles.settings, \.catalogue, \.buyers, \.tokens] {
        files[keyPath: file] = "// What this is.\n" + files[keyPath: file]
      }
      let refusal = try files.refusal(in: directory)
      #expect(refusal == nil)
    }
  }
}
