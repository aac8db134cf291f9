public import HTTPExchange
import StrictJSON

/// Keeps web pages of others from the control of sandboxes, which asks nobody who they are.
///
/// A program that serves sandboxes on the machine of a developer is in reach of each page that is
/// open in a browser there. Such a page can send what needs no leave of another origin, and can
/// have a name of its own lead to this machine, which makes both one origin. Programs that send
/// no such headers, as `curl` and test suites, are let in; so is a page's link to here.
public struct LocalControl: HTTPHandler {
  private let handler: any HTTPHandler

  /// Stands in front of `handler`, whose hosted pages and provider APIs are for everybody.
  public init(_ handler: any HTTPHandler) { self.handler = handler }

  /// Hands the request on, or refuses it.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    let isControl =
      request.path == ControlRoute.root
      || request.path.utf8.starts(with: "\(ControlRoute.root)/".utf8)
    guard isControl else { return await handler.respond(to: request) }
    guard request.headers.values("Host").allSatisfy(Self.isOfNoDomain) else {
      return refusal(
        "ask by an address such as 127.0.0.1, or as localhost: a name may lead anywhere")
    }
    guard ["GET", "HEAD"].contains(request.method) || !request.isFromOtherOrigin else {
      return refusal("sent by a page of another origin")
    }
    return await handler.respond(to: request)
  }

  private func refusal(_ text: String) -> HTTPResponse {
    .json(.object(["error": .string(text)]), status: 403)
  }

  /// Whether a host is an address or this machine's own name. Nobody else can have either lead
  /// here from a page of theirs.
  private static func isOfNoDomain(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      return IPAddress(host.dropFirst().prefix { $0 != "]" }) != nil
    }
    let name = host.prefix { $0 != ":" }.lowercased()
    return name == "localhost" || name.hasSuffix(".localhost") || IPAddress(name) != nil
  }
}

extension HTTPRequest {
  /// Whether a browser says that a page of another origin sends it.
  fileprivate var isFromOtherOrigin: Bool {
    let isOther = headers["Origin"].map { origin in
      !headers.values("Host").contains { origin == "http://\($0)" || origin == "https://\($0)" }
    }
    return isOther ?? false
      || !["same-origin", "none"].contains(headers["Sec-Fetch-Site"] ?? "none")
  }
}
