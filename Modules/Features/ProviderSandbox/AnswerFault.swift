import HTTPExchange
import StrictJSON

/// Spoils the answer to some calls of a sandbox's API.
public struct AnswerFault<Call: RawRepresentable<String> & Hashable & Sendable>: Sendable, Hashable
{
  /// What goes wrong with an answer.
  public typealias Kind = AnswerFaultKind

  /// The calls that it is for; nil for all.
  public var call: Call?
  /// What goes wrong.
  public var kind: Kind
  /// How many answers are still to be spoilt.
  public var times: Int64
  /// How late a ``AnswerFaultKind/slow`` answer is.
  public var delayMs: Int64

  /// A fault for the next `times` answers.
  public init(call: Call? = nil, kind: Kind, times: Int64 = 1, delayMs: Int64 = 0) {
    self.call = call
    self.kind = kind
    self.times = times
    self.delayMs = delayMs
  }
}

/// What goes wrong with an answer.
public enum AnswerFaultKind: String, Sendable, CaseIterable {
  /// The call is carried out, its answer is an HTML 502.
  case lost
  /// The call is carried out, its answer comes late.
  case slow
  /// The call is carried out, its answer breaks off in the middle.
  case truncated
  /// Not carried out: an HTML 502 of a proxy.
  case html502 = "html_502"
  /// Not carried out: an HTML 403 of a proxy.
  case html403 = "html_403"
  /// Not carried out: 500 in plain text.
  case serverError = "server_error"
  /// Not carried out: 429 without any header that says when to come back.
  case tooManyRequests = "too_many_requests"
}

/// An answer and how late it is to be given.
struct SandboxReply {
  var response: HTTPResponse
  var delay = Duration.zero
}

extension AnswerFault {
  /// The first fault of a list that is for this call, used up by one.
  static func take(for call: Call, from faults: inout [AnswerFault]) -> AnswerFault? {
    guard
      let match = faults.firstIndex(where: { ($0.call ?? call) == call && $0.times > 0 })
    else { return nil }
    faults[match].times -= 1
    return faults[match]
  }

  /// What becomes of a call.
  ///
  /// - Parameters:
  ///   - serverError: the provider's words for a fault of its own.
  ///   - perform: carries the call out.
  func reply(serverError: String, _ perform: () -> HTTPResponse) -> SandboxReply {
    switch kind {
    case .html502: return SandboxReply(response: .proxyPage(502, "502 Bad Gateway"))
    case .html403: return SandboxReply(response: .proxyPage(403, "Attention Required!"))
    case .serverError: return SandboxReply(response: .plain(500, serverError))
    case .tooManyRequests: return SandboxReply(response: .plain(429, "Too Many Requests"))
    case .lost:
      _ = perform()
      return SandboxReply(response: .proxyPage(502, "502 Bad Gateway"))
    case .slow: return SandboxReply(response: perform(), delay: .milliseconds(delayMs))
    case .truncated:
      var response = perform()
      response.body.removeLast(response.body.count / 2)
      return SandboxReply(response: response)
    }
  }

  fileprivate init?(json: JSONValue) {
    guard let members = json.members,
      members.allSatisfy({ ["call", "kind", "times", "delay_ms"].contains($0.name) }),
      let kind = json["kind"]?.text.flatMap(Kind.init(rawValue:)),
      let times = json["times"].map(\.int64) ?? 1, times >= 0,
      let delay = json["delay_ms"].map(\.int64) ?? 0,
      (0...SandboxLimits.answerDelayMsMax).contains(delay)
    else { return nil }
    self.init(kind: kind, times: times, delayMs: delay)
    guard let call = json["call"], !call.isNull else { return }
    guard let call = call.text.flatMap(Call.init(rawValue:)) else { return nil }
    self.call = call
  }

  fileprivate var json: JSONValue {
    .object([
      "call": .optional(call?.rawValue), "kind": .string(kind.rawValue),
      "times": .integer(times), "delay_ms": .integer(delayMs),
    ])
  }
}

extension SettingField {
  /// The list of answers to be spoilt.
  static func answers<Call: CaseIterable>(_ path: WritableKeyPath<Root, [AnswerFault<Call>]>)
    -> Self
  {
    SettingField(
      name: "answers", kind: .answers(Call.allCases.map(\.rawValue)),
      read: { .array($0[keyPath: path].map(\.json)) },
      write: { root, value in
        guard let elements = value.elements, elements.count <= SandboxLimits.answerFaultsMax
        else { return false }
        let answers = elements.compactMap(AnswerFault<Call>.init(json:))
        root[keyPath: path] = answers
        return answers.count == elements.count
      })
  }
}
