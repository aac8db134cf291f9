import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import StrictJSON

extension TebexProvider {
  var accountPath: String { "/accounts/\(configuration.publicToken)" }

  /// Errors carry no code but are problem documents (RFC 9457): one that states a status and says
  /// what is wrong is Tebex' own, and anything else is from something in between.
  var check: AnswerCheck {
    let settings = configuration.settings
    let secrets =
      [settings.privateKey, settings.checkout?.username, settings.checkout?.password]
      .compactMap { $0 } + settings.webhookSecrets
    return AnswerCheck(secrets: secrets.map { $0.reveal() }, successes: [200, 201]) { body in
      guard let json = try? JSONValue(parsing: body), json["status"]?.int64 != nil,
        json["title"]?.text != nil || json["detail"]?.text != nil
      else { return nil }
      return "problem"
    }
  }

  /// Reads a basket and makes sure that it is the one.
  func basket(_ ident: ProviderPaymentID) async throws(ProviderError) -> BasketAnswer {
    guard isToken(ident.rawValue) else {
      throw ProviderError(.refused, detail: "the ident is none of Tebex'; nothing was sent")
    }
    let basket = BasketAnswer(
      try await headless("GET", "\(accountPath)/baskets/\(ident)"), configuration)
    try check.map { () throws(JSONPathError) in
      guard try basket.ident() == ident else {
        throw JSONPathError(path: "ident", "is another basket's")
      }
    }
    return basket
  }

  func headless(
    _ method: String, _ path: String, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) async throws(ProviderError) -> JSONValue {
    try await call(method, configuration.settings.headlessURL, path, headers, body)
  }

  /// - Precondition: the store has access.
  func checkout(_ method: String, _ path: String) async throws(ProviderError) -> JSONValue {
    guard let access = configuration.settings.checkout else {
      preconditionFailure("the caller has looked for access")
    }
    let authorization = basicAuthorization(
      access.username.reveal(), access.password.reveal())
    return try await call(method, access.url, path, ["Authorization": authorization], [])
  }

  private func call(
    _ method: String, _ url: String, _ path: String, _ given: HTTPHeaders, _ body: [UInt8]
  ) async throws(ProviderError) -> JSONValue {
    var headers = given
    // Documented for every call, also one without a body.
    if body.isEmpty { headers.add("Content-Type", "application/json") }
    return try await ProviderAPI(transport, baseURL: url, headers: [:], check: check)
      .send(method, path, headers: headers, body: body)
  }
}

/// RFC 7617.
func basicAuthorization(_ user: String, _ password: String) -> String {
  "Basic \(base64Text(Array("\(user):\(password)".utf8)))"
}
