import HTTPExchange
import MerchantAPI

/// Why a command failed: one line and an exit code.
struct CommandFailure: Error, Hashable {
  /// What the caller may do; the raw value is the exit code, of sysexits(3) but for the first.
  enum Kind: Int32 {
    /// The state of order or payment does not allow it, or the books differ.
    case notAllowed = 1
    /// The server understood, and something in the data is wrong.
    case wrongData = 65
    /// There is no such thing, or it is not the caller's.
    case notFound = 66
    /// Server or provider cannot be reached, or is out: the same may work later.
    case unavailable = 69
    /// It was taken on, and how it ends is not known yet.
    case notKnownYet = 75
    /// The token is missing or not accepted.
    case denied = 77
  }

  let kind: Kind
  let message: String
  /// What the server asked to wait before the next try.
  let retryAfter: Duration?

  init(_ kind: Kind, _ message: String, retryAfter: Duration? = nil) {
    self.kind = kind
    self.message = message
    self.retryAfter = retryAfter
  }

  /// Reads what the server said; an answer that is not a problem document is named by its status.
  init(_ response: HTTPResponse) {
    let problem = Problem(response: response)
    let path = problem?.path.map { "\($0): " } ?? ""
    message =
      problem.map { path + $0.detail } ?? "the server answered with status \(response.status)"
    retryAfter = response.headers["Retry-After"].flatMap { UInt16($0) }.map { .seconds($0) }
    kind =
      switch response.status {
      case 401, 403: .denied
      case 404: .notFound
      case 409: .notAllowed
      // A redirect comes from something in front of the server: asking again may help.
      case 300...399, 408, 429, 500...599: .unavailable
      default: .wrongData
      }
  }

  /// Says what to do so that a repeat happens once, where the answer may have been lost.
  func hintingAt(key: String) -> CommandFailure {
    guard kind == .unavailable else { return self }
    let cause = message.hasSuffix(".") ? String(message.dropLast()) : message
    return CommandFailure(
      kind, "\(cause); repeat it with --key \(key), so that it is done once at the most")
  }
}
