import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// Access tokens of the fake SEB, each for one client.
struct SEBTokens: Sendable {
  /// A merchant needs one at a time; beyond this the oldest are forgotten.
  private static let tokensMax = 1_000

  private var tokens: [(text: String, client: SEBSandboxClient, endsAt: Instant)] = []

  /// Takes a token in.
  mutating func add(_ text: String, for client: SEBSandboxClient, until end: Instant) {
    tokens.append((text, client, end))
    if tokens.count > Self.tokensMax { tokens.removeFirst() }
  }

  /// Whose token it is; nil if it is not good.
  func client(of text: String, at now: Instant) -> SEBSandboxClient? {
    tokens.last { $0.text == text && $0.endsAt > now }?.client
  }

  mutating func forgetAll() { tokens = [] }
}

/// A request for a token: OAuth 2, client credentials (RFC 6749, sections 2.3.1 and 4.4).
struct SEBTokenRequest {
  private let form: [(name: String, value: String)]
  private let basic: (id: String, secret: String)?

  init(_ request: HTTPRequest) {
    form = QueryText.parseForm(String(decoding: request.body, as: UTF8.self))
    basic = request.headers["Authorization"].flatMap(Self.basic)
  }

  /// The client that shows its secret; nil if none of them does.
  func client(among clients: [SEBSandboxClient]) -> SEBSandboxClient? {
    let shown = basic ?? (field("client_id"), field("client_secret"))
    return clients.first { $0.id == shown.id && $0.secret.reveal() == shown.secret }
  }

  var isForClientCredentials: Bool { field("grant_type") == "client_credentials" }

  private func field(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }

  private static func basic(_ header: String) -> (id: String, secret: String)? {
    guard header.hasPrefix("Basic "), let bytes = decodedBase64(header.dropFirst(6)),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, let id = QueryText.decode(String(halves[0])),
      let secret = QueryText.decode(String(halves[1]))
    else { return nil }
    return (id, secret)
  }
}
