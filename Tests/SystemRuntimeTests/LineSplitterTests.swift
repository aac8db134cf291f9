@testable import SystemRuntime
import Testing

@Suite("Line splitter")
struct LineSplitterTests {
  static let text = Array("one\n\ntwo é\nthree".utf8)

  @Test(arguments: 1...20)
  func `lines are the same however the bytes come`(size: Int) {
    var splitter = LineSplitter(lineBytesMax: 100)
    var lines: [String] = []
    for start in stride(from: 0, to: Self.text.count, by: size) {
      lines += splitter.take(Self.text[start..<min(start + size, Self.text.count)])
    }
    #expect(lines == ["one", "", "two é"])
    #expect(splitter.rest == "three")
  }

  @Test func `a line at the limit is whole, a longer one is cut`() {
    var splitter = LineSplitter(lineBytesMax: 4)
    #expect(splitter.take(Array("abc\n".utf8)) == ["abc"])
    #expect(splitter.take(Array("abcde\n".utf8)) == ["abcd", "e"])
    #expect(splitter.rest == nil)
  }
}
