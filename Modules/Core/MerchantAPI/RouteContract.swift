/// What a route takes and answers: all of the API that its path does not say.
struct RouteContract: Sendable {
  /// Who may use a route.
  enum Access: Sendable, CaseIterable {
    /// Anybody.
    case open
    /// Whoever signs as the provider does.
    case provider
    /// A payer's app alone.
    case payer
    /// A payer's app about what is its own, and the merchant's people.
    case own
    /// The merchant's people alone.
    case staff
    /// The monitoring, and the merchant's people.
    case monitoring
  }

  /// A query parameter or header.
  struct Parameter: Sendable {
    let name: String
    let note: String
    let schema: JSONSchema
    var isRequired = false
    var isHeader = false
  }

  /// What a request brings along.
  enum Body: Sendable {
    /// JSON of a schema of ``APISchemas``.
    case json(String)
    /// Whatever the provider sends.
    case delivery
  }

  /// An answer that is no problem.
  struct Answer: Sendable {
    let status: Int
    let note: String
    var type = "application/json"
    var schema: JSONSchema?
    var headers: [String] = []

    /// JSON of a schema of ``APISchemas``.
    static func json(_ schema: String, _ note: String, status: Int = 200) -> Answer {
      Answer(status: status, note: note, schema: .named(schema))
    }

    /// An answer without a body.
    static func empty(_ status: Int, _ note: String, headers: [String] = []) -> Answer {
      Answer(status: status, note: note, headers: headers)
    }
  }

  let summary: String
  let access: Access
  var parameters: [Parameter] = []
  var body: Body?
  let answers: [Answer]
  /// Problems of its own; see ``RouteID/problems`` for those that follow from the rest.
  var problems: [Problem.Code] = []
}

extension RouteID {
  /// What the route takes and answers.
  var contract: RouteContract {
    let found =
      checkoutContract ?? paymentContract ?? caseContract ?? inboxContract ?? shopContract
      ?? publicContract
    guard let found else { preconditionFailure("each route has a contract, which a test asks for") }
    return found
  }

  /// Every problem that the route may answer, as they are declared.
  var problems: [Problem.Code] {
    let contract = contract
    var codes: Set<Problem.Code> = [.malformedRequest, .tooLarge, .unavailable]
    codes.formUnion(contract.problems)
    switch contract.access {
    case .open: break
    case .provider: codes.insert(.unauthenticated)
    case .own: codes.formUnion([.unauthenticated, .tokenExpired])
    case .payer, .staff, .monitoring:
      codes.formUnion([.unauthenticated, .tokenExpired, .forbidden])
    }
    if case .json = contract.body { codes.formUnion([.unsupportedMediaType, .invalidBody]) }
    if place != nil { codes.insert(.notFound) }
    // The two questions of a load balancer are not limited.
    if self != .health, self != .ready { codes.insert(.tooManyRequests) }
    return Problem.Code.allCases.filter(codes.contains)
  }
}

extension RouteContract.Parameter {
  static let idempotencyKey = Self(
    name: "Idempotency-Key",
    note: "Made and stored before the request is sent, and the same in each repeat of it.",
    schema: .text(pattern: "^[!-~]{1,64}$"), isRequired: true, isHeader: true)
  static let limit = Self(
    name: "limit", note: "At most so many, and never more than the server's own limit.",
    schema: .integer(from: 0, to: .max))
  static let beforeID = Self(
    name: "before", note: "Those before this id: next_before of the page before.", schema: .uuid)
  static let after = Self(
    name: "after", note: "Those after this number: next_after of the page before.",
    schema: .integer(from: 0, to: .max))

  /// A state to look for.
  static func state(_ words: [String]) -> Self {
    Self(name: "state", note: "Those in this state alone.", schema: .words(words))
  }
}
