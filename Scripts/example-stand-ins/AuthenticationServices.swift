// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents them; here stands no more than their form.

public import UIKit

// What the examples use of AuthenticationServices.

public typealias ASPresentationAnchor = UIWindow

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

@MainActor
open class ASWebAuthenticationSession: NSObject {
  public typealias CompletionHandler = (URL?, (any Error)?) -> Void
  public init(
    url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler
  ) {
    complete = completionHandler
    super.init()
    StandIn.log.append("session for \(callbackURLScheme ?? "nothing")")
    Self.last = self
  }
  /// What the system calls at the end, and the newest session; neither is Apple's.
  public let complete: CompletionHandler
  public static weak var last: ASWebAuthenticationSession?
  public weak var presentationContextProvider:
    (any ASWebAuthenticationPresentationContextProviding)?
  public var prefersEphemeralWebBrowserSession = false
  @discardableResult public func start() -> Bool { true }
  public func cancel() {
    StandIn.log.append("cancel")
    complete(nil, CancellationError())
  }
}
