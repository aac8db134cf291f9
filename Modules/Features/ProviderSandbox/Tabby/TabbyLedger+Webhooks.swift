import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// `/api/v1/webhooks`
extension TabbyLedger {
  func webhooks(
    _ route: TabbyRoute, _ request: HTTPRequest, _ key: String
  ) throws(TabbyError) -> JSONValue {
    guard let code = request.headers["X-Merchant-Code"],
      settings.merchants.contains(where: { $0.code == code })
    else { throw .notAuthorized("authorization") }
    let own = registrations.indices.filter {
      registrations[$0].key == key && registrations[$0].merchantCode == code
    }
    func found(_ id: String) throws(TabbyError) -> Int {
      guard let index = own.first(where: { registrations[$0].id == id.lowercased() }) else {
        throw .notFound("no such webhook")
      }
      return index
    }
    switch route {
    case .listWebhooks:
      let list = own.map { registrations[$0].json }
      return settings.webhookListShape == .array ? .array(list) : list.first ?? .null
    case .readWebhook(let id): return registrations[try found(id)].json
    case .removeWebhook(let id):
      registrations.remove(at: try found(id))
      return .object(["status": .string("ok")])
    case .updateWebhook(let id):
      let index = try found(id)
      let (url, header) = try target(request)
      registrations[index].url = url
      registrations[index].header = header
      return registrations[index].json
    default:
      let (url, header) = try target(request)
      guard own.count < SandboxLimits.webhooksPerMerchantMax else {
        throw .badData("webhooks limit is reached")
      }
      let registration = WebhookRegistration(
        id: environment.newUUID(), key: key, merchantCode: code, url: url, header: header)
      registrations.append(registration)
      return registration.json
    }
  }

  /// URL and header of a registration. The real server wants a public HTTPS URL; this one takes
  /// plain HTTP too unless it is strict, since it runs beside what it talks to.
  private func target(
    _ request: HTTPRequest
  ) throws(TabbyError) -> (url: String, header: WebhookHeader?) {
    let failure = TabbyError.badData("bad_request")
    guard let body = try? JSONValue(parsing: request.body), let url = body["url"]?.text,
      url.utf8.count <= SandboxLimits.returnURLBytesMax, isVisible(url),
      url.hasPrefix("https://") || !settings.isStrict && url.hasPrefix("http://")
    else { throw failure }
    guard let header = body["header"], !header.isNull else { return (url, nil) }
    guard let title = header["title"]?.text, let value = header["value"]?.text,
      isToken(title), value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      title.count <= SandboxLimits.textMax, value.count <= SandboxLimits.textMax
    else { throw failure }
    return (url, WebhookHeader(title: title, value: value))
  }
}

private func isVisible(_ text: String) -> Bool {
  text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

/// Whether `text` is a header field name (RFC 9110 token).
private func isToken(_ text: String) -> Bool {
  let others = Array("!#$%&'*+-.^_`|~".utf8)
  return !text.isEmpty
    && text.utf8.allSatisfy {
      (48...57).contains($0) || (97...122).contains($0 | 0x20) || others.contains($0)
    }
}
