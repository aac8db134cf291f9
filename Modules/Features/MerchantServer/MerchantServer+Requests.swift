import CheckoutService
import HTTPExchange
import MerchantAPI
import PaymentModels
import StrictJSON

/// What all routes need of a request.
extension MerchantServer {
  func caller(of request: HTTPRequest) async throws(Problem) -> Caller {
    let values = request.headers.values("Authorization")
    guard values.count == 1, let value = values.first,
      let space = value.utf8.firstIndex(of: UInt8(ascii: " ")),
      value[..<space].lowercased() == "bearer"
    else {
      throw Problem(.unauthenticated, "Send a valid token as Authorization: Bearer.")
    }
    let token = Secret(String(value[value.utf8.index(after: space)...]))
    guard let caller = await authenticator.caller(of: token) else {
      if await authenticator.hasExpired(token) {
        throw Problem(
          .tokenExpired, "The token has run out. Sign in again and repeat the request with the new."
        )
      }
      throw Problem(.unauthenticated, "Send a valid token as Authorization: Bearer.")
    }
    try await gate.admit(caller)
    return caller
  }

  /// Who asks, if it is one of the merchant's own.
  @discardableResult
  func requireOperator(_ request: HTTPRequest) async throws(Problem) -> OperatorName {
    guard case .operator(let name) = try await caller(of: request) else {
      throw Problem(.forbidden, "This takes an operator key.")
    }
    return name
  }

  /// The body as JSON. An empty body counts as an empty object where `mayBeEmpty`.
  func body(of request: HTTPRequest, mayBeEmpty: Bool = false) throws(Problem) -> JSONValue {
    if mayBeEmpty, request.body.isEmpty { return .object([JSONMember]()) }
    let type = request.headers["Content-Type"] ?? ""
    let essence = (type.split(separator: ";").first ?? "").split(separator: " ")
    guard essence.count == 1, essence[0].lowercased() == "application/json" else {
      throw Problem(.unsupportedMediaType, "Send the body as Content-Type: application/json.")
    }
    do {
      return try JSONValue(
        parsing: request.body, limits: JSONLimits(bytesMax: settings.bodyBytesMax, depthMax: 8))
    } catch {
      throw Problem(.malformedRequest, "The body is not JSON as RFC 8259 has it: \(error).")
    }
  }

  func idempotencyKey(of request: HTTPRequest) throws(Problem) -> String {
    let values = request.headers.values("Idempotency-Key")
    guard values.count == 1, let key = values.first, CheckoutRequest.isKey(key) else {
      throw Problem(
        .malformedRequest,
        "Send one Idempotency-Key of 1 to \(CheckoutRequest.keyBytesMax) visible ASCII characters: "
          + "make it and store it before you ask.")
    }
    return key
  }

  /// A whole number of a query parameter; nil if it is not there.
  func number(_ name: String, of request: HTTPRequest) throws(Problem) -> Int64? {
    guard let text = request.query.first(where: { $0.name == name })?.value else { return nil }
    guard let value = Int64(text), value >= 0 else {
      throw Problem(.malformedRequest, "?\(name)= takes a whole number that is not negative.")
    }
    return value
  }

  /// `?before=` and `?limit=` of a list.
  func page(of request: HTTPRequest) throws(Problem) -> (before: String?, limit: Int) {
    let before = request.query.first { $0.name == "before" }?.value
    if let before, !isCanonicalUUID(before) {
      throw Problem(.malformedRequest, "?before= takes an id of the list.")
    }
    let wish = try number("limit", of: request) ?? Int64(settings.pageMax)
    return (before, Int(min(max(1, wish), Int64(settings.pageMax))))
  }

  func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: value.serialized())
  }
}
