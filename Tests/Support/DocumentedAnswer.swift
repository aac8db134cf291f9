import HTTPExchange
import MerchantAPI
import StrictJSON

/// An answer of the merchant server beside what the API's document says of it.
struct DocumentedAnswer {
  let method: String
  let path: String
  let response: HTTPResponse

  private static let check = SchemaCheck(OpenAPIDocument.json, forbidsStrangers: true)

  /// What the document does not say so; empty if it says all of it.
  var faults: [String] {
    switch Route.match(method: method == "HEAD" ? "GET" : method, path: path) {
    case .route(let route): faults(route.id)
    case .badIdentifier, .none: response.status == 404 || response.status == 429 ? [] : unexpected
    case .methodNotAllowed: response.status == 405 || response.status == 429 ? [] : unexpected
    }
  }

  private var unexpected: [String] { ["\(method) \(path): \(response.status) is not documented"] }

  private func faults(_ id: RouteID) -> [String] {
    let operation = OpenAPIDocument.json["paths"]?[id.pathTemplate]?[id.method.lowercased()]
    guard let answer = operation?["responses"]?["\(response.status)"] else { return unexpected }
    // What a provider's handshake gets is the provider's own form.
    guard let content = answer["content"]?.members?.first, id != .takeWebhook else {
      return response.body.isEmpty || id == .takeWebhook
        ? [] : ["\(id): \(response.status) has a body"]
    }
    let type = response.headers["Content-Type"]?.split(separator: ";").first.map(String.init)
    guard type == content.name else { return ["\(id): \(type ?? "no type") is not documented"] }
    guard content.name.hasSuffix("json"), let schema = content.value["schema"] else { return [] }
    guard let json = try? JSONValue(parsing: response.body) else { return ["\(id): is no JSON"] }
    // Its form is the standard's.
    guard id != .openAPI || response.status != 200 else { return [] }
    return Self.check.faults(json, schema, at: "\(id) \(response.status)")
  }
}
