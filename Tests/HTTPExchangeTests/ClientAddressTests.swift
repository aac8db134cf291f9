import HTTPExchange
import TestSupport
import Testing

@Suite("FB-22 IP allow-list behind a proxy, and forged forwarding headers")
struct ClientAddressTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var peer: String? = "10.1.2.3"
    var forwarded: [String] = []
    let isAllowed: Bool
    var testDescription: String { "\(peer ?? "none") \(forwarded)" }
  }

  private static func range(_ text: String) throws -> IPRange { try #require(IPRange(text)) }

  private static func client(_ row: Row, trusted: [String]) throws -> IPAddress? {
    var headers: HTTPHeaders = [:]
    for line in row.forwarded { headers.add("X-Forwarded-For", line) }
    let request = HTTPRequest(
      method: "POST", target: "/webhooks/p", headers: headers, peer: row.peer)
    return request.client(behind: try trusted.map(range))
  }

  private static let more = [
    Row(forwarded: ["garbage, 198.51.100.5"], isAllowed: true),
    Row(forwarded: ["198.51.100.5, garbage"], isAllowed: false),
    Row(forwarded: ["[::ffff:198.51.100.5]:443"], isAllowed: true),
    Row(forwarded: ["198.51.100.5:https"], isAllowed: false),
    Row(forwarded: ["198.51.100.16"], isAllowed: false),
    Row(forwarded: [""], isAllowed: false),
    Row(isAllowed: false), Row(peer: nil, forwarded: ["198.51.100.5"], isAllowed: false),
  ]

  @Test(
    arguments: FieldBugRows.senders.map {
      Row(peer: $0.peer, forwarded: $0.forwarded, isAllowed: $0.isAllowed)
    } + more)
  func `the first address from the right that is no proxy of ours is the client`(
    row: Row
  ) throws {
    let allowed = try Self.range("198.51.100.0/28")
    let client = try Self.client(row, trusted: ["10.0.0.0/8"])
    #expect((client.map { allowed.contains($0) } ?? false) == row.isAllowed)
  }

  @Test func `without trusted proxies the header is ignored`() throws {
    let row = Row(forwarded: ["198.51.100.5"], isAllowed: false)
    #expect(try Self.client(row, trusted: []) == IPAddress("10.1.2.3"))
  }

  @Test(arguments: [
    ("198.51.100.0/28", "198.51.100.15", true), ("198.51.100.0/28", "198.51.100.16", false),
    ("198.51.100.7", "198.51.100.7", true), ("198.51.100.7", "198.51.100.8", false),
    ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
    ("2001:db8::1", "2001:0db8:0:0:0:0:0:1", true), ("::/0", "2001:db8::1", true),
  ])
  func `a block holds its own addresses`(
    block: String, address: String, holds: Bool
  ) throws {
    let address = try #require(IPAddress(address))
    #expect(try Self.range(block).contains(address) == holds)
  }

  @Test(arguments: [
    "", "198.51.100", "198.51.100.256", "198.51.100.05", "198.51.100.0/33", "198.51.100.5/28",
    "198.51.100.0/", "198.51.100.0/-1", "198.51.100.0/+8", "::1::2", "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9", "g::", "::/129", "shop.example", "198.51.100.0/28/28", " 10.0.0.1",
    "1.2.3.4:5:6:7:8:9:a", ":::", "1:::2", "1.2.3.4::", "1.2.3.4::1", "10.0.0.0/+8",
  ])
  func `what is no block is refused`(text: String) {
    #expect(IPRange(text) == nil)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("10.255.0.1", true), ("172.16.0.1", true), ("172.32.0.1", false),
    ("192.168.3.4", true), ("169.254.1.1", true), ("198.51.100.5", false), ("::1", true),
    ("fd00::1", true), ("fe80::1", true), ("2001:db8::1", false), ("::ffff:10.0.0.1", true),
  ])
  func `private networks are known`(text: String, isPrivate: Bool) throws {
    #expect(try #require(IPAddress(text)).isPrivate == isPrivate)
  }
}
