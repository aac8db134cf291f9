import HTTPExchange
import Testing

@Suite("Text in HTML")
struct HTMLTextTests {
  @Test(
    arguments: [
      ("plain é 支", "plain é 支"), ("", ""), ("a&b", "a&amp;b"), ("&amp;", "&amp;amp;"),
      ("<script>", "&lt;script&gt;"), ("\"'", "&quot;&#39;"), ("a\r\nb", "a\r\nb"),
    ])
  func `what HTML would read as its own is written out`(text: String, html: String) {
    #expect(HTMLText.escaped(text) == html)
  }
}
