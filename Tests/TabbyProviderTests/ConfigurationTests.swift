import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("A configuration can only be built valid")
struct ConfigurationTests {
  private func build(
    account: String = "main", key: String = testKey, merchantCode: String = "AE",
    region: TabbyRegion = .emiratesAndKuwait, baseURL: String? = nil,
    title: String? = "X-Hook", values: [String] = ["0123456789abcdef"]
  ) throws -> TabbyConfiguration {
    try TabbyConfiguration(
      account: ProviderAccount(account), secretKey: Secret(key), merchantCode: merchantCode,
      region: region, baseURL: baseURL,
      webhookHeader: title.map { title throws in
        try TabbyWebhookHeader(title: title, values: values.map { Secret($0) })
      })
  }

  private func fault(_ build: () throws -> TabbyConfiguration) -> TabbyConfigurationError? {
    do {
      _ = try build()
      return nil
    } catch {
      return error as? TabbyConfigurationError
    }
  }

  @Test func `the key's prefix decides the mode`() throws {
    #expect(try build(key: testKey).mode == .test)
    #expect(try build(key: "sk_test_sandbox").mode == .test)
    #expect(try build(key: liveKey).mode == .live)
  }

  @Test(arguments: [
    "", " ", "\n", "sk_", "sk_test_", "pk_00000000-1a2b-4222-8333-444455556666",
    "pk_test_00000000-1a2b-4222-8333-444455556666", "sk_live_x", "sk_live_",
    "SK_TEST_x", "sk_changeme", "sk_00000000-1A2B-4222-8333-444455556666", "sk_test_a b",
    "sk_test_a\r\nX: y", "changeme", testKey + "\n", " " + testKey,
    "sk_test_" + String(repeating: "a", count: 101),
  ])
  func `every other key is refused by the setting's name`(key: String) throws {
    let error = try #require(fault { try build(key: key) })
    #expect(error.setting == .secretKey)
    #expect(!"\(error)".contains("1a2b"))
  }

  @Test func `a public key is told apart`() throws {
    let error = try #require(
      fault { try build(key: "pk_test_00000000-1a2b-4222-8333-444455556666") })
    #expect(error.description.contains("public key"))
  }

  @Test func `the region gives the host and the currencies`() throws {
    #expect(try build(key: liveKey).baseURL == "https://api.tabby.ai")
    #expect(try build(key: liveKey, region: .saudiArabia).baseURL == "https://api.tabby.sa")
    #expect(TabbyRegion(currency: "SAR") == .saudiArabia)
    #expect(TabbyRegion(currency: "AED") == .emiratesAndKuwait)
    #expect(TabbyRegion(currency: "KWD") == .emiratesAndKuwait)
    #expect(TabbyRegion(currency: "BHD") == nil)
    #expect(TabbyRegion(currency: "sar") == nil)
  }

  @Test(arguments: [
    "http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "http://[::1]",
    "http://127.9.9.9", "https://sandbox.example", "https://sandbox.example:8443",
    "https://api.tabby.ai",
  ])
  func `a test key may go to a sandbox`(baseURL: String) throws {
    #expect(try build(baseURL: baseURL).baseURL == baseURL)
    #expect(try build(baseURL: baseURL + "/").baseURL == baseURL)
  }

  @Test(arguments: [
    "http://127.0.0.1:8080", "http://localhost", "http://[::1]:8080", "https://localhost",
    "https://sandbox.example", "http://api.tabby.ai", "https://api.tabby.sa",
    "https://api.tabby.ai:443", "https://api.tabby.ai.evil.example",
  ])
  func `a live key goes to its region's host alone`(baseURL: String) throws {
    #expect(fault { try build(key: liveKey, baseURL: baseURL) }?.setting == .baseURL)
  }

  @Test func `a live key may name its region's host`() throws {
    let configuration = try build(key: liveKey, baseURL: "https://api.tabby.ai")
    #expect(configuration.baseURL == "https://api.tabby.ai")
  }

  @Test(arguments: [
    "", "api.tabby.ai", "ftp://localhost", "http://", "https://", "http://sandbox.example",
    "http://127.0.0.1.evil.example", "http://127.0.0.256", "http://127.1", "http://localhost.x",
    "http://localhost:0", "http://localhost:65536", "http://localhost:", "http://localhost:80a",
    "http://localhost:+80", "http://user@localhost", "http://localhost/api", "http://localhost?x",
    "http://localhost#x", "http://localhost//", "https://a b", "https://ex\u{E4}mple.example",
    "HTTP://localhost", "http://LOCALHOST", "http://[::1]x", "http://[::2]", "http://localhost\n",
  ])
  func `any other place is refused`(baseURL: String) throws {
    #expect(fault { try build(baseURL: baseURL) }?.setting == .baseURL)
  }

  @Test(arguments: ["", " ", "A E", "AE\n", String(repeating: "A", count: 101)])
  func `a merchant code is a short word`(code: String) throws {
    #expect(fault { try build(merchantCode: code) }?.setting == .merchantCode)
  }

  @Test func `the longest merchant code passes`() throws {
    let code = String(repeating: "A", count: 100)
    #expect(try build(merchantCode: code).merchantCode == code)
  }

  @Test func `an account has a name`() throws {
    #expect(fault { try build(account: "") }?.setting == .account)
  }

  @Test func `a live account needs a webhook header with long values`() throws {
    #expect(fault { try build(key: liveKey, title: nil) }?.setting == .webhookHeaderTitle)
    let short = ["0123456789abcde"]
    #expect(fault { try build(key: liveKey, values: short) }?.setting == .webhookHeaderValues)
    #expect(try build(key: liveKey, values: ["0123456789abcdef"]).mode == .live)
    #expect(try build(title: nil).webhookHeader == nil)
    #expect(try build(values: ["short"]).webhookHeader?.values.count == 1)
  }

  @Test(arguments: [
    [], [""], [" "], ["with space"], ["ok", "tab\t"], ["ü"], ["a", "b", "c", "d", "e"],
  ])
  func `webhook values are one to four visible words`(values: [String]) throws {
    #expect(fault { try build(values: values) }?.setting == .webhookHeaderValues)
  }

  @Test func `four webhook values pass`() throws {
    #expect(try build(values: ["a", "b", "c", "d"]).webhookHeader?.values.count == 4)
  }

  @Test(arguments: ["", "X Hook", "X-Hook:", "X\r\nY"])
  func `a webhook title is a header name`(title: String) throws {
    #expect(fault { try build(title: title) }?.setting == .webhookHeaderTitle)
  }
}
