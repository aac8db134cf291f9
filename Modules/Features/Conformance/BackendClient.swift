import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// The backend as an app and a provider see it: by its public routes alone.
actor BackendClient {
  /// What a create brought.
  struct Created: Sendable {
    let status: Int
    let json: JSONValue
    let payment: String?
    let order: String?
    let page: String?
  }

  let url: String
  let adapter: ConformanceAdapter
  private let transport: any HTTPTransport
  private let environment: KitEnvironment
  /// Everything that an app was told, for a look for secrets.
  private var told: [String] = []

  init(
    url: String, adapter: ConformanceAdapter, transport: any HTTPTransport,
    environment: KitEnvironment
  ) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.adapter = adapter
    self.transport = transport
    self.environment = environment
  }

  /// Sends a call of the adapter.
  ///
  /// - Parameter extra: members that are put into the body, in the place of those of the same name.
  func send(
    _ call: ConformanceAdapter.Call, _ values: [String: String], extra: JSONValue? = nil,
    without left: Set<String> = []
  ) async throws -> HTTPResponse {
    var headers = HTTPHeaders()
    for field in call.headers where !left.contains(field.name.lowercased()) {
      headers.add(field.name, filled(field.value, values))
    }
    var body: [UInt8] = []
    if let template = call.body {
      let sent = template.filled(with: values)
      let added = extra?.members ?? []
      let kept = (sent.members ?? []).filter { member in
        !added.contains { $0.name == member.name }
      }
      body = JSONValue.object(kept + added).serialized()
      if headers["Content-Type"] == nil { headers.add("Content-Type", "application/json") }
    }
    let request = HTTPOutgoing(
      method: call.method, url: url + filled(call.path, values), headers: headers, body: body)
    for _ in 0..<ConformanceLimits.throttledTriesMax {
      let response = try await exchange(request)
      guard response.status == 429 else { return response }
      try await environment.clock.sleep(for: .seconds(1))
    }
    throw CheckEnd.notRun("the backend answers 429: raise its limits for this run")
  }

  private func exchange(_ request: HTTPOutgoing) async throws -> HTTPResponse {
    do throws(HTTPTransportError) {
      let response = try await transport.send(request)
      let headers = response.headers.fields.map { "\($0.name): \($0.value)" }
      told.append(
        headers.joined(separator: "\n") + "\n" + String(decoding: response.body, as: UTF8.self))
      return response
    } catch {
      throw CheckEnd.failed("\(request.method) got no answer (\(error.reason))")
    }
  }

  /// Opens a checkout.
  ///
  /// - Parameter headers: those of the adapter's that are left out, in lower case.
  func create(
    _ account: ConformanceAdapter.Account, key: String, product: String? = nil,
    extra: JSONValue? = nil, without headers: Set<String> = []
  ) async throws -> Created {
    created(
      try await send(
        adapter.create,
        [
          "key": key, "provider": account.provider.rawValue,
          "product": product ?? account.product, "amount": account.amount,
          "currency": account.currency,
        ], extra: extra, without: headers))
  }

  /// What stands in an answer to a create.
  func created(_ response: HTTPResponse) -> Created {
    let json = (try? JSONValue(parsing: response.body)) ?? .null
    let places = adapter.places
    return Created(
      status: response.status, json: json, payment: json.text(pointer: places.payment),
      order: json.text(pointer: places.order), page: json.text(pointer: places.page))
  }

  /// Posts to the backend's webhook address; nil if no answer came in time.
  func deliver(
    _ account: ConformanceAdapter.Account, headers: HTTPHeaders, body: [UInt8]
  ) async -> HTTPResponse? {
    do throws(HTTPTransportError) {
      return try await transport.send(
        HTTPOutgoing(
          method: "POST", url: url + account.webhookPath, headers: headers, body: body,
          deadline: ConformanceLimits.acknowledgeTime))
    } catch {
      return nil
    }
  }

  /// Whether an answer to an app held this text.
  func hasTold(_ text: String) -> Bool { told.contains { $0.contains(text) } }
}
