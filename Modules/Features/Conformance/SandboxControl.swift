import HTTPExchange
import PaymentModels
import StrictJSON

/// The sandboxes by their control API: what really happened, and what shall happen.
struct SandboxControl: Sendable {
  let url: String
  let transport: any HTTPTransport

  init(url: String, transport: any HTTPTransport) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.transport = transport
  }

  /// Payments of a provider, in the order of their making.
  func payments(of provider: ConformanceProvider) async throws -> [JSONValue] {
    let ledger = try await call("GET", "/sandbox/ledger")
    return (ledger["payments"]?.elements ?? []).filter {
      ($0["provider"]?.text ?? "tabby") == provider.rawValue
    }
  }

  /// One payment as the provider has it now.
  func payment(_ id: String) async throws -> JSONValue {
    try await call("GET", "/sandbox/payments/\(id)")
  }

  func setFaults(_ id: String, _ faults: JSONValue) async throws {
    _ = try await call("POST", "/sandbox/payments/\(id)/faults", faults)
  }

  func setStatus(_ id: String, _ status: String) async throws {
    _ = try await call(
      "POST", "/sandbox/payments/\(id)/status", .object(["status": .string(status)]))
  }

  /// Changes settings of one provider.
  func change(_ provider: ConformanceProvider, _ settings: JSONValue) async throws {
    _ = try await call("POST", Self.settingsPath(provider), settings)
  }

  /// By how many milliseconds the sandboxes' clock is ahead.
  func clockOffset() async throws -> Int64 {
    try await call("GET", "/sandbox/clock")["offset_ms"]?.int64 ?? 0
  }

  /// Hands in a form of a hosted page, as the payer's browser does.
  func submit(_ page: String, _ form: String) async throws {
    let response = try await send(
      HTTPOutgoing(
        method: "POST", url: page,
        headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Array(form.utf8)))
    guard response.status < 400 else {
      throw CheckEnd.notRun("the hosted page answered \(response.status)")
    }
  }

  /// A call of Tabby's own API with the merchant's key.
  func tabby(
    _ method: String, _ path: String, _ account: ConformanceAdapter.Account,
    _ body: JSONValue? = nil
  ) async throws -> JSONValue {
    guard let key = account.key, let code = account.merchantCode else {
      throw CheckEnd.notRun("the adapter gives no key and merchant_code for tabby")
    }
    return try await call(
      method, path, body,
      headers: ["Authorization": "Bearer \(key.reveal())", "X-Merchant-Code": code])
  }

  private static func settingsPath(_ provider: ConformanceProvider) -> String {
    provider == .tabby ? "/sandbox/settings" : "/sandbox/settings/\(provider.rawValue)"
  }

  private func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil, headers more: HTTPHeaders = [:]
  ) async throws -> JSONValue {
    var headers = more
    if body != nil { headers.add("Content-Type", "application/json") }
    let response = try await send(
      HTTPOutgoing(
        method: method, url: url + path, headers: headers, body: body?.serialized() ?? [],
        bodyBytesMax: Self.ledgerBytesMax))
    guard response.status == 200 else {
      throw CheckEnd.notRun("the sandbox answered \(response.status) to \(method) \(path)")
    }
    return (try? JSONValue(parsing: response.body)) ?? .null
  }

  private func send(_ request: HTTPOutgoing) async throws -> HTTPResponse {
    do throws(HTTPTransportError) {
      return try await transport.send(request)
    } catch {
      throw CheckEnd.notRun("the sandbox does not answer (\(error.reason))")
    }
  }

  /// A ledger of a few thousand payments.
  private static let ledgerBytesMax = 64 << 20
}
