import HTTPExchange
import PaymentModels
import ProviderInterface
import TabbyProvider
import TestSupport
import Testing

/// The bodies are those of Tabby's reference (*Webhooks*: url, and header with title and value; the
/// answer has id, url, is_test and header or null), typed here and made by nobody's encoder.
@Suite("Webhooks registered at Tabby")
struct WebhookRegistrationTests {
  private let api = "https://api.tabby.ai/api/v1/webhooks"
  private let url = "https://shop.example/webhooks/tabby"
  private let secret = "whk_5up3r-s3cret-webhook"
  private let readHeaders: HTTPHeaders = [
    "X-Merchant-Code": "AE", "Authorization": "Bearer \(testKey)", "Accept": "application/json",
  ]
  private let writeHeaders: HTTPHeaders = [
    "X-Merchant-Code": "AE", "Authorization": "Bearer \(testKey)", "Accept": "application/json",
    "Content-Type": "application/json",
  ]
  private static let hook = """
    {"id":"0f3b1c7e-5f0e-4a55-9d58-6a1f0c3b2d11","url":"https://shop.example/webhooks/tabby",\
    "is_test":true,"header":{"title":"X-Webhook-Token","value":"whk_5up3r-s3cret-webhook"}}
    """

  private func tabby(_ transport: ClosureTransport, header: String? = nil) throws -> TabbyProvider {
    let values = [header ?? secret, "whk_0ld-s3cret"].map { Secret($0) }
    return try makeProvider(
      transport, header: try TabbyWebhookHeader(title: "X-Webhook-Token", values: values))
  }

  private var registered: RegisteredWebhook {
    RegisteredWebhook(
      id: "0f3b1c7e-5f0e-4a55-9d58-6a1f0c3b2d11", url: url, mode: .test,
      headerTitle: "X-Webhook-Token", isCurrent: true)
  }

  @Test func `adding sends url and header, and no is_test`() async throws {
    let transport = answering(Self.hook)
    #expect(try await tabby(transport).addWebhook(url: url) == registered)
    let body = """
      {"url":"https://shop.example/webhooks/tabby",\
      "header":{"title":"X-Webhook-Token","value":"whk_5up3r-s3cret-webhook"}}
      """
    #expect(
      transport.sent == [
        HTTPOutgoing(method: "POST", url: api, headers: writeHeaders, body: Array(body.utf8))
      ])
  }

  @Test func `an account without a header registers the url alone`() async throws {
    let transport = answering(
      #"{"id":"w-1","url":"https://shop.example/webhooks/tabby","is_test":true,"header":null}"#)
    let webhook = try await makeProvider(transport).addWebhook(url: url)
    #expect(
      webhook
        == RegisteredWebhook(id: "w-1", url: url, mode: .test, headerTitle: nil, isCurrent: true))
    #expect(
      transport.sent.map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"url":"https://shop.example/webhooks/tabby"}"#
      ])
  }

  @Test func `updating puts the same body at the webhook's own path`() async throws {
    let transport = answering(Self.hook)
    #expect(try await tabby(transport).updateWebhook(registered.id, url: url) == registered)
    #expect(transport.sent.map(\.method) == ["PUT"])
    #expect(transport.sent.map(\.url) == ["\(api)/\(registered.id)"])
    #expect(transport.sent.map(\.headers) == [writeHeaders])
  }

  @Test func `removing takes the documented answer`() async throws {
    let transport = answering(#"{"status":"ok"}"#)
    try await tabby(transport).removeWebhook(registered.id)
    #expect(
      transport.sent == [
        HTTPOutgoing(method: "DELETE", url: "\(api)/\(registered.id)", headers: readHeaders)
      ])
  }

  @Test(arguments: [("[\(hook)]", 1), (hook, 1), ("[]", 0), ("null", 0)])
  func `a list may be an array, one object or null`(body: String, count: Int) async throws {
    let transport = answering(body)
    let webhooks = try await tabby(transport).webhooks()
    #expect(webhooks == Array(repeating: registered, count: count))
    #expect(transport.sent == [HTTPOutgoing(method: "GET", url: api, headers: readHeaders)])
  }

  @Test(
    arguments: [
      (#"{"title":"x-webhook-token","value":"whk_5up3r-s3cret-webhook"}"#, true),
      (#"{"title":"X-Webhook-Token","value":"whk_0ld-s3cret"}"#, false),
      (#"{"title":"X-Other","value":"whk_5up3r-s3cret-webhook"}"#, false),
      (#"{"title":"X-Webhook-Token"}"#, false), (#"{"title":"X-Webhook-Token","value":""}"#, false),
      ("null", false),
    ])
  func `it is current with the title and the first value alone`(
    header: String, isCurrent: Bool
  ) async throws {
    let body = #"[{"id":"w-1","url":"https://shop.example/w","header":\#(header)}]"#
    let webhook = try await tabby(answering(body)).webhooks().first
    #expect(webhook?.isCurrent == isCurrent)
    #expect(webhook?.mode == nil)
  }

  @Test(arguments: ["{}", "[{}]", #"[{"id":"w-1"}]"#, #"[7]"#, #"[{"id":7,"url":"https://x.y"}]"#])
  func `a list that cannot be counted is no list`(body: String) async throws {
    let error = await failure { try await tabby(answering(body)).webhooks() }
    #expect(error?.kind == .unknown)
  }

  @Test(
    arguments: [
      "http://shop.example/w", "https://localhost/w", "https://127.0.0.1/w", "shop.example/w", "",
      "https://me@shop.example/w", "https://shop.example/ w", "ftp://shop.example",
    ])
  func `a url that Tabby cannot reach is not sent`(url: String) async throws {
    let transport = answering(Self.hook)
    let tabby = try tabby(transport)
    let added = await failure { try await tabby.addWebhook(url: url) }
    let updated = await failure { try await tabby.updateWebhook("w-1", url: url) }
    #expect([added, updated].allSatisfy { $0?.kind == .refused && $0?.status == nil })
    #expect(transport.sent.isEmpty)
  }

  @Test(arguments: [(254, true), (255, true), (256, false)])
  func `a url may be as long as Tabby reads`(length: Int, isSent: Bool) async throws {
    let start = "https://shop.example/"
    let url = start + String(repeating: "w", count: length - start.utf8.count)
    let transport = answering(Self.hook)
    let error = await failure { try await tabby(transport).addWebhook(url: url) }
    #expect((error == nil) == isSent)
    #expect(transport.sent.count == (isSent ? 1 : 0))
  }

  @Test(arguments: ["", "..", "w/1", "w?1", "w 1", "ẃ", String(repeating: "w", count: 101)])
  func `an id that is no token never becomes a path`(id: String) async throws {
    let transport = answering(#"{"status":"ok"}"#)
    let tabby = try tabby(transport)
    let removed = await failure { try await tabby.removeWebhook(id) }
    let updated = await failure { try await tabby.updateWebhook(id, url: url) }
    #expect([removed, updated].allSatisfy { $0?.kind == .refused && $0?.status == nil })
    #expect(transport.sent.isEmpty)
  }

  @Test(
    arguments: [
      (400, #"{"status":"error","errorType":"bad_data","error":"bad_request"}"#, "refused"),
      (
        401, #"{"status":"error","errorType":"not_authorized","error":"invalid secret key"}"#,
        "unauthorized"
      ),
      (404, #"{"status":"error","errorType":"not_found","error":"no such webhook"}"#, "not_found"),
      (429, "Too Many Requests", "throttled"), (500, "Internal Server Error", "unknown"),
      (200, #"{"id":"w-1""#, "unknown"), (201, hook, "unknown"),
    ])
  func `errors are sorted as those of payments`(
    status: Int, body: String, kind: String
  ) async throws {
    let error = await failure {
      try await tabby(answering(body, status: status)).addWebhook(url: url)
    }
    #expect(error?.kind.rawValue == kind)
    #expect(error?.description.contains(secret) == false)
  }
}
