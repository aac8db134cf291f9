#if canImport(UIKit) && canImport(WebKit)
  import AuthenticationServices
  import CheckoutLifecycle
  import UIKit

  /// The system's browser over the app, which ends by itself at the app's own scheme.
  @MainActor
  final class AuthSessionPage: NSObject, ShownPage, ASWebAuthenticationPresentationContextProviding
  {
    private let window: UIWindow
    private let ended: @MainActor (String?) -> Void
    private var session: ASWebAuthenticationSession?

    /// - Throws: `PresentationFailure.busy` if the system does not start it: another one is up.
    init(
      _ url: URL, callbackScheme: String, over window: UIWindow,
      _ ended: @escaping @MainActor (String?) -> Void
    ) throws {
      self.window = window
      self.ended = ended
      super.init()
      // `@Sendable`: the system promises no thread. A closure that is taken for the main actor's
      // traps on another.
      let session = ASWebAuthenticationSession(url: url, callbackURLScheme: callbackScheme) {
        @Sendable [weak self] callback, _ in
        // Every error is the same news: the session is gone. "Cancelled" is also what comes when
        // the payer went to the bank's app and approved there.
        let callback = callback?.absoluteString
        Task { @MainActor in self?.end(at: callback) }
      }
      session.presentationContextProvider = self
      // Shares Safari's cookies, so a payer whom the provider knows is known; the price is the
      // system's question before the first page. `true` asks nothing and knows nobody.
      session.prefersEphemeralWebBrowserSession = false
      self.session = session
      guard session.start() else { throw PresentationFailure.busy }
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
      window
    }

    func takeDown() async {
      // Forgotten first: cancelling ends it too, which is then no news.
      let session = session
      self.session = nil
      session?.cancel()
    }

    private func end(at callback: String?) {
      guard session != nil else { return }
      session = nil
      ended(callback)
    }
  }
#endif
