import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import StrictJSON

/// The access token of one account, kept while it is good. It is the one thing that the module
/// keeps.
///
/// Whoever needs a token while none is there fetches it for all who ask meanwhile, in its own task;
/// if that task is cancelled, the next of them goes on. A failed fetch is everybody's answer, so a
/// token server that is down is asked once for all.
actor AccessTokens {
  private enum Outcome {
    case granted(Secret)
    case failed(ProviderError)
    case abandoned
  }

  private let request: TokenRequest
  private let transport: any HTTPTransport
  private let clock: KitClock
  private var kept: (text: Secret, usableUntil: Duration)?
  private var isFetching = false
  private var waiters: [AsyncStream<Outcome>.Continuation] = []

  init(_ request: TokenRequest, transport: any HTTPTransport, clock: KitClock) {
    self.request = request
    self.transport = transport
    self.clock = clock
  }

  /// A token that is good for a while yet.
  ///
  /// - Throws: ``ProviderError`` of kind `unauthorized`, `throttled` or `notSent`: the call that
  ///   the token was for was not sent.
  func token() async throws(ProviderError) -> Secret {
    while true {
      if let kept, clock.uptime() < kept.usableUntil { return kept.text }
      guard isFetching else { return try await fetchForAll() }
      let (stream, continuation) = AsyncStream<Outcome>.makeStream()
      waiters.append(continuation)
      switch await stream.first(where: { _ in true }) {
      case .granted(let text): return text
      case .failed(let error): throw error
      case .abandoned: continue
      case nil:
        throw ProviderError(.notSent, detail: "cancelled while a token was being fetched")
      }
    }
  }

  /// Forgets a token that was refused, unless another has taken its place.
  func drop(_ text: Secret) {
    if kept?.text == text { kept = nil }
  }

  private func fetchForAll() async throws(ProviderError) -> Secret {
    isFetching = true
    let result: Result<TokenAnswer, ProviderError>
    do throws(ProviderError) {
      result = .success(try await fetch())
    } catch {
      result = .failure(error)
    }
    isFetching = false
    let waiting = waiters
    waiters = []
    let outcome: Outcome
    switch result {
    case .success(let answer):
      kept = (answer.text, clock.uptime() + answer.life - tokenMargin)
      outcome = .granted(answer.text)
    case .failure(let error): outcome = Task.isCancelled ? .abandoned : .failed(error)
    }
    for waiter in waiting {
      waiter.yield(outcome)
      waiter.finish()
    }
    return try result.get().text
  }

  private func fetch() async throws(ProviderError) -> TokenAnswer {
    let answer: HTTPResponse
    do {
      answer = try await transport.send(request.outgoing)
    } catch {
      // Whatever became of it, the call that the token is for was not sent.
      throw ProviderError(.notSent, detail: "no token: \(error.reason)")
    }
    return try TokenAnswer(answer)
  }
}

/// `POST {token_url}`: OAuth 2, client credentials (RFC 6749, section 4.4).
struct TokenRequest {
  let configuration: SEBConfiguration

  var outgoing: HTTPOutgoing {
    let (credentials, settings) = (configuration.credentials, configuration.settings)
    let (id, secret) = (
      QueryText.encode(credentials.clientID),
      QueryText.encode(credentials.clientSecret.reveal())
    )
    var form = "grant_type=client_credentials"
    if let scope = settings.tokenScope { form += "&scope=\(QueryText.encode(scope))" }
    var headers: HTTPHeaders = [
      "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded",
    ]
    switch settings.clientAuthentication {
    case .basic: headers.add("Authorization", "Basic \(base64Text(Array("\(id):\(secret)".utf8)))")
    case .form: form += "&client_id=\(id)&client_secret=\(secret)"
    }
    return HTTPOutgoing(
      method: "POST", url: configuration.tokenURL, headers: headers, body: Array(form.utf8),
      bodyBytesMax: tokenAnswerBytesMax)
  }
}

/// What came back for a token. None of its text ever gets into an error.
struct TokenAnswer {
  let text: Secret
  let life: Duration

  init(_ answer: HTTPResponse) throws(ProviderError) {
    let json = try? JSONValue(parsing: answer.body)
    guard answer.status == 200 else {
      throw ProviderError(
        Self.kind(answer.status), status: answer.status, detail: "no token was given")
    }
    guard let text = json?["access_token"]?.text, isVisible(text),
      text.utf8.count <= tokenBytesMax,
      json?["token_type"]?.text.map({ asciiLowercased($0) == "bearer" }) ?? true
    else {
      throw ProviderError(.notSent, status: 200, detail: "the answer holds no usable token")
    }
    let stated = json?["expires_in"].flatMap { $0.int64 ?? $0.text.flatMap { Int64($0) } }
    self.text = Secret(text)
    life = stated.map { .seconds(min(max(0, $0), tokenLifeSecondsMax)) } ?? tokenLifeAssumed
  }

  /// 400 and 401 are how such a server refuses a client. Anything else says nothing of us, and the
  /// call that the token is for was not sent.
  private static func kind(_ status: Int) -> ProviderError.Kind {
    switch status {
    case 400, 401, 403: .unauthorized
    case 429: .throttled
    default: .notSent
    }
  }
}

/// A token is not used in its last half minute: a call may take 15 s, and clocks differ.
private let tokenMargin = Duration.seconds(30)
/// How long a token is good whose answer does not say; RFC 6749 only recommends that it does.
private let tokenLifeAssumed = Duration.seconds(60)
/// A longer life counts as a day: whoever revokes a client wants it to end.
private let tokenLifeSecondsMax: Int64 = 86_400
/// Tokens are texts of some kilobytes at the most.
private let tokenBytesMax = 16 << 10
/// A token and a few members beside it.
private let tokenAnswerBytesMax = 64 << 10
