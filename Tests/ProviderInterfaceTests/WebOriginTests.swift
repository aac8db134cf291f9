import ProviderInterface
import Testing

@Suite("Origins of web addresses")
struct WebOriginTests {
  @Test(arguments: [
    ("https://Pay.Example/p?a", "https://pay.example"),
    ("https://pay.example:443", "https://pay.example"),
    ("https://pay.example:0443#x", "https://pay.example"),
    ("http://pay.example:443", "http://pay.example:443"),
    ("https://[::1]:8443/", "https://[::1]:8443"),
  ])
  func `an address has one origin, however it is spelt`(url: String, origin: String) {
    #expect(webOrigin(of: url) == origin)
    #expect(webOrigin(of: origin) == origin)
  }

  @Test(arguments: [
    "https://pay.example::443", "https://pay.example:", "https://pay.example:x",
    "https://pay.example:0", "https://pay.example:65536", "https://:443", "https://::1",
    "https://a@pay.example", "https:///p", "ftp://pay.example", "https://pay.example\\@x",
  ])
  func `what two programs may read differently has none`(url: String) {
    #expect(webOrigin(of: url) == nil)
  }
}
