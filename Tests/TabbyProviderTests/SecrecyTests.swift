import HTTPExchange
import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

@Suite("No error shows a secret or a buyer")
struct SecrecyTests {
  private static let webhookSecret = "webhook~value!0001"

  private func shown(_ body: String, status: Int = 400, type: String = "text/html") async throws
    -> String
  {
    let header = try TabbyWebhookHeader(title: "X-Hook", values: [Secret(Self.webhookSecret)])
    let tabby = try makeProvider(
      answering(body, status: status, headers: ["Content-Type": type]), header: header)
    let error = try #require(await failure { try await tabby.read(paymentID) })
    var dumped = ""
    dump(error, to: &dumped)
    return "\(error) \(dumped)"
  }

  @Test(arguments: [
    "invalid key \(testKey)", "Authorization: Bearer \(testKey.uppercased())", testKey,
    "\(liveKey) belongs to somebody else", "cut: sk_test_00000000-1a2b-4222-83",
    "public pk_00000000-1a2b-4222-8333-444455556666", "header \(webhookSecret)",
    // Straddles the cut.
    String(repeating: "x", count: 190) + " " + testKey,
    // Behind many masked bytes.
    String(repeating: "1", count: 600) + String(repeating: " ", count: 390) + testKey,
  ])
  func `keys and webhook secrets are starred out`(body: String) async throws {
    for text in [try await shown(body), try await shown("ok", type: body)] {
      let lower = text.lowercased()
      #expect(!lower.contains("1a2b"))
      #expect(!lower.contains("webhook~value"))
      #expect(!lower.contains("44445555"))
    }
  }

  @Test(arguments: [
    "otp.success@tabby.ai", "phone +971 50 000 0001", "(+971)-50-000-0001", "0500000001",
    "/login?email=first.last%40shop.example", "first.last+tag@shop.example is unknown",
    "4111 1111 1111 1111",
    String(repeating: "x", count: 190) + " otp.success@tabby.ai",
    String(repeating: "x", count: 193) + " 0500000001",
  ])
  func `addresses and long numbers are starred out`(body: String) async throws {
    let text = try await shown(body)
    for part in ["success", "tabby", "971", "000", "first", "shop", "1111", "050"] {
      #expect(!text.contains(part), "\(part)")
    }
  }

  @Test func `a payment that was cut short is not shown`() async throws {
    let cut = " \n" + String(#"{"buyer":{"name":"Test Buyer","city":"Dubai"},"#)
    let text = try await shown(cut, status: 200, type: "application/json")
    #expect(!text.contains("Test Buyer"))
    #expect(!text.contains("Dubai"))
    #expect(text.contains("not JSON"))
  }

  @Test func `a malformed payment names the place and not the value`() async throws {
    let body = paymentJSON(amount: #""12 Test Street""#)
    let text = try await shown(body, status: 200, type: "application/json")
    #expect(text.contains("amount"))
    #expect(!text.contains("Street"))
  }

  @Test func `control characters and other scripts become points`() async throws {
    let error = try #require(
      await failure {
        try await provider("a\u{1B}[31mb\nمش\u{202E}c", status: 502).read(paymentID)
      })
    #expect(error.detail.hasSuffix(": a.[31mb........c"))
    #expect(error.detail.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }

  @Test(arguments: [(199, 199), (200, 200), (201, 200)])
  func `the first 200 bytes are shown`(length: Int, shownLength: Int) async throws {
    let error = try #require(
      await failure {
        try await provider(String(repeating: "y", count: length), status: 502).read(paymentID)
      })
    #expect(error.detail.count { $0 == "y" } == shownLength + 1)  // one in “bytes”
    #expect(error.detail.count <= 300)
  }

  @Test func `provider and configuration print no secret`() throws {
    let header = try TabbyWebhookHeader(title: "X-Hook", values: [Secret(Self.webhookSecret)])
    let tabby = try makeProvider(answering(""), header: header)
    var text = "\(tabby) \(tabby.configuration) "
    dump(tabby.configuration, to: &text)
    #expect(!text.contains("1a2b"))
    #expect(!text.contains("webhook~value"))
  }
}
