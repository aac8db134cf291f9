import HTTPExchange
import StrictJSON

/// Stands between the sandboxes and the backend's webhook addresses: keeps every delivery as it
/// came, passes it on at once or holds it, and takes the backend's fulfilment messages.
///
/// What it holds it acknowledges, so that the sandbox does not repeat it.
actor DeliveryRelay: HTTPHandler {
  /// A webhook as the provider sent it.
  struct Delivery: Sendable {
    let provider: ConformanceProvider
    let headers: HTTPHeaders
    let body: [UInt8]
    /// The backend's answer; nil if it was held or none came.
    var answer: HTTPResponse?

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private struct Message: Hashable {
    let order: String
    let id: String
  }

  private let backend: BackendClient
  private let adapter: ConformanceAdapter
  private var deliveries: [Delivery] = []
  private var held: Set<String> = []
  private var messages: Set<Message> = []
  private var messageCount = 0

  init(backend: BackendClient, adapter: ConformanceAdapter) {
    self.backend = backend
    self.adapter = adapter
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    guard request.method == "POST" else { return HTTPResponse(status: 405) }
    switch (parts.first, parts.count) {
    case ("fulfilment", 1): return note(request)
    case ("webhooks", 2):
      guard let account = adapter.accounts.first(where: { $0.provider.rawValue == parts[1] })
      else { return HTTPResponse(status: 404) }
      return await take(request, account)
    default: return HTTPResponse(status: 404)
    }
  }

  private func take(
    _ request: HTTPRequest, _ account: ConformanceAdapter.Account
  ) async -> HTTPResponse {
    var headers = HTTPHeaders()
    for field in request.headers.fields where !Self.ofTheHop.contains(field.name.lowercased()) {
      headers.add(field.name, field.value)
    }
    let text = String(decoding: request.body, as: UTF8.self)
    let isHeld = held.contains { text.contains($0) }
    guard deliveries.count < ConformanceLimits.deliveriesMax else {
      return HTTPResponse(status: 503)
    }
    let index = deliveries.count
    deliveries.append(
      Delivery(
        provider: account.provider, headers: headers, body: request.body, answer: nil))
    if isHeld { return HTTPResponse(status: 200) }
    let answer = await backend.deliver(account, headers: headers, body: request.body)
    deliveries[index].answer = answer
    return validation(text) ?? answer ?? HTTPResponse(status: 504)
  }

  /// Tebex sends nothing to an address that has not answered this. Whether the backend does is a
  /// check of its own; the others go on.
  private func validation(_ text: String) -> HTTPResponse? {
    guard text.contains(Self.validationType), let json = try? JSONValue(parsing: Array(text.utf8)),
      let id = json["id"]?.text
    else { return nil }
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"],
      body: JSONValue.object(["id": .string(id)]).serialized())
  }

  private func note(_ request: HTTPRequest) -> HTTPResponse {
    guard let rule = adapter.fulfilment, let json = try? JSONValue(parsing: request.body),
      let order = json.text(pointer: rule.order)
    else { return HTTPResponse(status: 400) }
    if let type = rule.type {
      guard rule.values.contains(json.text(pointer: type) ?? "") else {
        return HTTPResponse(status: 204)
      }
    }
    messageCount += 1
    let id =
      rule.idHeader.flatMap { request.headers[$0] }
      ?? rule.idPointer.flatMap { json.text(pointer: $0) } ?? "\(messageCount)"
    messages.insert(Message(order: order, id: id))
    return HTTPResponse(status: 204)
  }

  // MARK: For checks

  /// Keeps back what names one of these ids from now on.
  func hold(_ ids: [String]) { held.formUnion(ids) }

  /// Deliveries that name one of these ids, in the order in which they came.
  func deliveries(naming ids: [String]) -> [Delivery] {
    deliveries.filter { delivery in
      let text = delivery.text
      return ids.contains { text.contains($0) }
    }
  }

  /// The validations that Tebex' sandbox asked for, with the backend's answers.
  var validations: [Delivery] { deliveries.filter { $0.text.contains(Self.validationType) } }

  /// How often goods of an order were told to go out; a repeated message counts once.
  func fulfilments(of order: String) -> Int { messages.count { $0.order == order } }

  private static let validationType = "validation.webhook"
  /// About one connection alone, so not passed on.
  private static let ofTheHop: Set<String> = [
    "host", "content-length", "connection", "transfer-encoding", "accept-encoding", "expect",
  ]
}
