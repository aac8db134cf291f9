public import HTTPExchange

#if FaultInjection
  import PaymentModels
#endif

/// Sorts HTTP answers of a provider into bodies to be read and errors that say what the caller may
/// do next.
///
/// What counts is who has spoken. Errors of a provider are not always its own: a block at the edge
/// comes as an HTML page, a route that does not exist as plain text. Only an answer with the API's
/// own error code proves that nothing was done; any other 4xx, an HTML 400 too, comes from
/// something in between and proves nothing: `unknown`.
public struct AnswerCheck: Sendable {
  private let secrets: [String]
  private let successes: Set<Int>
  private let errorCode: @Sendable ([UInt8]) -> String?
  /// The body of the request, which may tell of a person.
  private var sent: [UInt8] = []

  /// Sorts the answers of one API.
  ///
  /// - Parameters:
  ///   - secrets: texts that no error may show.
  ///   - successes: statuses of an answer that is to be read.
  ///   - errorCode: the API's own code in the body of an error, if it is there. The text for
  ///     people beside it is never branched on.
  public init(
    secrets: [String], successes: Set<Int>, errorCode: @escaping @Sendable ([UInt8]) -> String?
  ) {
    self.secrets = secrets
    self.successes = successes
    self.errorCode = errorCode
  }

  /// The same check, of an answer to a request with that body: what the request told of a person
  /// is shown by no error either.
  func hiding(sent body: [UInt8]) -> AnswerCheck {
    var check = self
    check.sent = body
    return check
  }

  /// The body of a success.
  ///
  /// - Throws: ``ProviderError`` for every other status.
  public func body(_ answer: HTTPResponse) throws(ProviderError) -> [UInt8] {
    guard successes.contains(answer.status) else { throw failure(answer) }
    return answer.body
  }

  /// A success whose body cannot be read.
  public func unreadable(_ answer: HTTPResponse, _ reason: String) -> ProviderError {
    ProviderError(
      .unknown, status: answer.status,
      detail: "the answer is not JSON (\(reason)); \(summary(answer))")
  }

  /// A readable answer without what the document promises.
  ///
  /// - Parameter error: names the place and never what stood there.
  public func malformed(_ error: some Error & CustomStringConvertible) -> ProviderError {
    ProviderError(.unknown, status: 200, detail: "the answer is malformed: \(error)")
  }

  /// An exchange that brought no answer.
  public func lost(_ error: HTTPTransportError) -> ProviderError {
    switch error.kind {
    case .notSent: ProviderError(.notSent, detail: error.reason)
    case .unknown: ProviderError(.unknown, detail: error.reason)
    }
  }

  private func failure(_ answer: HTTPResponse) -> ProviderError {
    let code = errorCode(answer.body).flatMap { Self.isCode($0) ? $0 : nil }
    return ProviderError(
      kind(status: answer.status, code: code), status: answer.status, code: code,
      detail: summary(answer), retryAfter: retryAfter(answer))
  }

  private func kind(status: Int, code: String?) -> ProviderError.Kind {
    #if FaultInjection
      if SeededFault.active == .takesPageForRefusal, status >= 500 { return .refused }
      if SeededFault.active == .takesDenialForRefusal, [401, 403].contains(status) {
        return .refused
      }
    #endif
    return switch status {
    case 401, 403: .unauthorized
    case 404: .notFound
    case 429: .throttled
    case 400..<500: code == nil ? .unknown : .refused
    default: .unknown
    }
  }

  /// A word in lower case, not a text for people and not markup.
  private static func isCode(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "_") }
  }

  /// Seconds that the peer asks for; a date is not understood.
  private func retryAfter(_ answer: HTTPResponse) -> Duration? {
    guard let text = answer.headers["Retry-After"], (1...5).contains(text.utf8.count),
      text.utf8.allSatisfy({ (48...57).contains($0) }), let seconds = Int(text)
    else { return nil }
    return .seconds(seconds)
  }

  /// Status, content type and the masked beginning of the body. A success that looks like JSON is
  /// most likely a payment that was cut short, with a buyer in it: its text is not shown.
  private func summary(_ answer: HTTPResponse) -> String {
    // Few answers are errors: what is hidden is looked for in these alone.
    let secrets = secrets + PersonalTexts.texts(in: sent)
    let type = MaskedText.shown(
      (answer.headers["Content-Type"] ?? "no content type").utf8.prefix(40), secrets: secrets)
    let head = "HTTP \(answer.status), \(type), \(answer.body.count) bytes"
    guard !answer.body.isEmpty else { return head }
    let first = answer.body.first { !(0x09...0x20).contains($0) }
    if (200..<300).contains(answer.status), first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    {
      return "\(head), not shown"
    }
    return "\(head): \(MaskedText.shown(answer.body, secrets: secrets))"
  }
}
