import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// The fake SEB's calls, and all that it knows.
actor SEBLedger: SandboxLedger {
  static let provider = "seb"

  let environment: KitEnvironment
  let links: SandboxLinks
  var settings: SEBSandboxSettings
  var payments: [SEBPayment] = []
  var calls = CallCounts<SEBCall>()
  var queue = WebhookQueue()
  var time: SandboxTime
  var positions = PaymentPositions()
  var tokens = SEBTokens()
  private var requestIDs: Set<String> = []

  init(settings: SEBSandboxSettings, environment: KitEnvironment, links: SandboxLinks) {
    self.settings = settings
    self.environment = environment
    self.links = links
    time = SandboxTime(environment)
  }

  func serve(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply {
    switch segments.first {
    case "auth":
      guard request.method == "POST", segments.last == "token" else { break }
      return carryOut(.token, nil) { giveToken(request) }
    case "egw":
      guard segments.starts(with: ["egw", "v1"]) else { break }
      return call(request, Array(segments.dropFirst(2)))
    default: return SandboxReply(response: page(request, segments))
    }
    return SandboxReply(response: SEBError.notFound.response)
  }

  private func call(_ request: HTTPRequest, _ segments: [String]) -> SandboxReply {
    let index = segments.count > 1 ? position(segments[1]) : nil
    switch (request.method, segments.first, segments.count, segments.last) {
    case ("POST", "payments", 2, "cit"):
      return carryOut(.create, nil) {
        answer(request) { client throws(SEBError) in
          try create(request, client)
        }
      }
    case ("GET", "payments", 2, _):
      return carryOut(.read, index) {
        answer(request) { client throws(SEBError) in
          .json(readJSON(try own(index, client)))
        }
      }
    case ("POST", "payments", 3, "capture"):
      return carryOut(.capture, index) {
        answer(request) { client throws(SEBError) in
          try capture(try own(index, client), try body(request))
        }
      }
    case ("POST", "payments", 3, "cancel"):
      return carryOut(.cancel, index) {
        answer(request) { client throws(SEBError) in
          try cancel(try own(index, client))
        }
      }
    case ("POST", "refunds", 1, _):
      let body = try? JSONValue(parsing: request.body)
      let index = body?["paymentId"]?.text.flatMap { position($0) }
      return carryOut(.refund, index) {
        answer(request) { client throws(SEBError) in
          try refund(try own(index, client), try self.body(request))
        }
      }
    default: return SandboxReply(response: SEBError.notFound.response)
    }
  }

  // MARK: Access

  private func giveToken(_ request: HTTPRequest) -> HTTPResponse {
    let asked = SEBTokenRequest(request)
    func refuse(_ status: Int, _ error: String) -> HTTPResponse {
      .json(.object(["error": .string(error)]), status: status)
    }
    guard asked.isForClientCredentials else { return refuse(400, "unsupported_grant_type") }
    guard let client = asked.client(among: settings.clients) else {
      return refuse(401, "invalid_client")
    }
    let text = "seb-token-\(environment.newUUID())"
    tokens.add(
      text, for: client, until: environment.clock.now() + .milliseconds(settings.tokenLifeMs))
    return .json(
      .object([
        "access_token": .string(text), "token_type": "Bearer",
        "expires_in": .integer(settings.tokenLifeMs / 1_000),
      ]))
  }

  /// Checks token and request id, then carries a call out.
  private func answer(
    _ request: HTTPRequest, _ perform: (SEBSandboxClient) throws(SEBError) -> HTTPResponse
  ) -> HTTPResponse {
    do throws(SEBError) {
      guard let token = request.bearerToken,
        let client = tokens.client(of: token, at: environment.clock.now())
      else { throw .unauthorized }
      let id = request.headers["X-Request-Id"] ?? ""
      guard isCanonicalUUID(id.lowercased()) else { throw .invalid("X-Request-Id") }
      // Documented as unique to the call.
      guard requestIDs.insert(id).inserted else { throw .invalid("X-Request-Id") }
      if requestIDs.count > Self.requestIDsMax { requestIDs = [id] }
      return try perform(client)
    } catch {
      return error.response
    }
  }

  /// Ids of calls that are remembered; a test makes some hundreds.
  private static let requestIDsMax = 10_000

  private func own(_ index: Int?, _ client: SEBSandboxClient) throws(SEBError) -> Int {
    guard let index, payments[index].terms.participantID == client.participantID else {
      throw .notFound
    }
    return index
  }

  private func body(_ request: HTTPRequest) throws(SEBError) -> JSONValue {
    guard let body = try? JSONValue(parsing: request.body), body.members != nil else {
      throw .invalid("body")
    }
    return body
  }

  // MARK: Create

  private func create(
    _ request: HTTPRequest, _ client: SEBSandboxClient
  ) throws(SEBError) -> HTTPResponse {
    let terms = try SEBTerms(try body(request))
    guard terms.participantID == client.participantID,
      terms.shopAgreementID == client.shopAgreementID
    else { throw .forbidden }
    guard payments.count < SandboxLimits.paymentsMax else { throw .full }
    let zero = Money.zero(terms.amount.currency)
    let payment = SEBPayment(
      id: environment.newUUID(), verificationKey: "vk_\(environment.newUUID())", terms: terms,
      createdAt: now, expiresAt: now + .milliseconds(settings.lifeMs),
      base: links.base(for: request), captured: zero, refunded: zero)
    let index = add(payment, ids: [payment.id])
    payments[index].trail.calls.count(.create)
    note(index, payment.status.rawValue)
    environment.log(.info, "checkout created", ("payment", payment.id))
    return .json(.object((paymentJSON(index).members ?? []) + page(of: payments[index])))
  }

  /// What the answer to a create has beside the payment: the page, and the payment's own secret.
  private func page(of payment: SEBPayment) -> [JSONMember] {
    let url = JSONValue.string(pageURL(payment))
    let redirect: JSONMember =
      switch settings.redirectPlace {
      case .flat: JSONMember(name: "checkoutRedirect", value: url)
      case .links:
        JSONMember(name: "_links", value: .object(["checkoutRedirect": .object(["href": url])]))
      }
    return [JSONMember(name: "verificationKey", value: .string(payment.verificationKey)), redirect]
  }
}
