import HTTPExchange
import ProviderInterface
import StrictJSON

/// Turns an HTTP answer into JSON, or into the error that says what the caller may do next.
///
/// Tabby's errors are not always JSON: a route that does not exist and a fault of its own come
/// as plain text, a block at the edge as an HTML page. What counts is who has spoken. Only the
/// API itself says `errorType`, so only an answer with it proves that nothing was done; any
/// other 4xx, an HTML 400 too, comes from something in between and proves nothing: `unknown`.
struct AnswerCheck {
  /// Texts that no error may show.
  let secrets: [String]

  /// The body of a 200. No other status is a success: Tabby documents 200 for every call.
  func json(_ answer: HTTPResponse) throws(ProviderError) -> JSONValue {
    guard answer.status == 200 else { throw failure(answer) }
    do {
      return try JSONValue(parsing: answer.body)
    } catch {
      throw ProviderError(
        .unknown, status: 200,
        detail: "the answer is not JSON (\(error.reason)); \(summary(answer))")
    }
  }

  /// A readable answer without what the document promises.
  func malformed(_ error: JSONPathError) -> ProviderError {
    ProviderError(.unknown, status: 200, detail: "the answer is malformed: \(error)")
  }

  /// An exchange that brought no answer.
  func lost(_ error: HTTPTransportError) -> ProviderError {
    switch error.kind {
    case .notSent: ProviderError(.notSent, detail: error.reason)
    case .unknown: ProviderError(.unknown, detail: error.reason)
    }
  }

  private func failure(_ answer: HTTPResponse) -> ProviderError {
    let code = errorType(answer.body)
    return ProviderError(
      kind(status: answer.status, code: code), status: answer.status, code: code,
      detail: summary(answer), retryAfter: retryAfter(answer))
  }

  private func kind(status: Int, code: String?) -> ProviderError.Kind {
    switch status {
    case 401, 403: .unauthorized
    case 404: .notFound
    case 429: .throttled
    case 400..<500: code == nil ? .unknown : .refused
    default: .unknown
    }
  }

  /// The API's own word for the error, if the body is its JSON. Its `error` text is for people
  /// and is never branched on.
  private func errorType(_ body: [UInt8]) -> String? {
    guard let json = try? JSONValue(parsing: body), let code = json["errorType"]?.text,
      (1...40).contains(code.utf8.count),
      code.utf8.allSatisfy({ (97...122).contains($0) || $0 == UInt8(ascii: "_") })
    else { return nil }
    return code
  }

  /// Seconds that the peer asks for; a date is not understood. Tabby documents no such header,
  /// but what stands in front of it may send one.
  private func retryAfter(_ answer: HTTPResponse) -> Duration? {
    guard let text = answer.headers["Retry-After"], (1...5).contains(text.utf8.count),
      text.utf8.allSatisfy({ (48...57).contains($0) }), let seconds = Int(text)
    else { return nil }
    return .seconds(seconds)
  }

  /// Status, content type and the masked beginning of the body. A 200 that looks like JSON is
  /// most likely a payment that was cut short, with a buyer in it: its text is not shown.
  private func summary(_ answer: HTTPResponse) -> String {
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
