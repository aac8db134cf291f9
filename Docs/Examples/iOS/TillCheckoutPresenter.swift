#if canImport(UIKit) && canImport(WebKit)
  import CheckoutLifecycle
  import CheckoutSession
  import SafariServices
  import UIKit

  /// Something that happened in the app or on a page, on its way to the session.
  enum Happening: Sendable {
    case becameActive
    case wentToBackground
    case pushed
    case signedOut
    /// The app was opened with a URL: a scheme of its own, or a universal link.
    case link(URL)
    /// A page, or its screen, told something that the lifecycle knows.
    case page(CheckoutEvent, CheckoutKey)
    /// An `ASWebAuthenticationSession` ended: at a callback, or without one.
    case sessionEnded(CheckoutKey, callback: String?)
    /// A navigation that goes outside the page.
    case outside(NavigationDecision, CheckoutKey)
  }

  /// A page that is on the screen.
  @MainActor
  protocol ShownPage: AnyObject {
    /// Returns when it is gone; does nothing if it went by itself.
    func takeDown() async
  }

  /// Shows hosted pages on iOS and tells the session what happens to them.
  ///
  ///     let presenter = TillCheckoutPresenter(trusting: origin)
  ///     let session = CheckoutSession(…, page: presenter.page)
  ///     await presenter.run(session)  // for the life of the process
  @MainActor
  final class TillCheckoutPresenter {
    /// A link that is no return of a checkout: the app's own business.
    var onOtherLink: @MainActor (URL) -> Void = { _ in }
    /// No app takes the address that the page sent the payer to, such as a bank's.
    var onMissingApp: @MainActor () -> Void = {}

    private let trustedOrigin: CheckoutOrigin?
    private let happenings: AsyncStream<Happening>
    private let queue: AsyncStream<Happening>.Continuation
    private var session: CheckoutSession?
    private var isResumed = false
    private var shown: (key: CheckoutKey, page: any ShownPage)?

    /// - Parameter origin: where a provider's page may load nothing but its own origin (Futa), the
    ///   one that this build of the app trusts: a constant, never something from the network.
    init(trusting origin: CheckoutOrigin? = nil) {
      trustedOrigin = origin
      // What comes before the session runs waits here: a cold start's link comes before the store
      // is open. More than 64 would be a link opened over and over.
      (happenings, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
    }

    /// What `CheckoutSession` is built with.
    nonisolated var page: CheckoutPage {
      CheckoutPage(
        open: { try await self.open($0, $1, $2) }, close: { await self.close($0) },
        openOutside: { await self.openOutside($1) })
    }

    /// Call it from delegates and views: it returns at once and keeps the order. One queue, since a
    /// `Task` for each event may overtake another.
    nonisolated func tell(_ happening: Happening) { queue.yield(happening) }

    /// Performs the work of the session and tells it what happens, until the task is cancelled.
    func run(_ session: CheckoutSession) async {
      self.session = session
      defer { self.session = nil }
      async let work: Void = session.run()
      for await happening in happenings { await take(happening, session) }
      await work
    }

    private func take(_ happening: Happening, _ session: CheckoutSession) async {
      switch happening {
      case .becameActive: await becomeActive(session)
      // In a process that was never in front it does nothing: becoming active asks anyway.
      case .pushed: await session.send(.pushed)
      case .wentToBackground: await session.send(.backgrounded)
      case .signedOut: await session.send(.signedOut)
      case .link(let url):
        // A store that cannot be read now throws. The link is only a hint: resume() asks about
        // every open checkout as soon as the store can be read.
        let isReturn = try? await session.open(link: url.absoluteString)
        if isReturn == false { onOtherLink(url) }
      case .page(let event, let key):
        if event == .closed { await close(key) }
        await session.send(event, to: key)
      case .sessionEnded(let key, let callback):
        // It went by itself; the next page may come.
        if shown?.key == key { shown = nil }
        await session.endPage(of: key, at: callback)
      case .outside(let decision, let key):
        if await !session.openOutside(decision, of: key) { onMissingApp() }
      }
    }

    /// What the process before left is taken up here and no earlier, as by a push in the
    /// background: a page that is to be opened again needs a screen.
    private func becomeActive(_ session: CheckoutSession) async {
      guard !isResumed else { return await session.send(.foregrounded) }
      // Before the first unlock the store cannot be read; the next time tries again.
      isResumed = (try? await session.resume()) != nil
    }

    // MARK: Pages

    private func open(
      _ key: CheckoutKey, _ text: String, _ strategy: PresentationStrategy
    ) async throws {
      guard let url = exactURL(text), let record = await session?.state(of: key)?.record else {
        throw PresentationFailure.other
      }
      guard let screen = Screen.top else { throw PresentationFailure.notOnScreen }
      guard shown == nil, !screen.isBeingPresented, !screen.isBeingDismissed else {
        throw PresentationFailure.busy
      }
      let tell: @MainActor (Happening) -> Void = { [weak self] in self?.tell($0) }
      switch strategy {
      case .authSession:
        // A session cannot wait for an https address, nor for two schemes.
        guard let scheme = record.callbackScheme, let window = Screen.window else {
          throw PresentationFailure.other
        }
        let ended: @MainActor (String?) -> Void = { tell(.sessionEnded(key, callback: $0)) }
        shown = (key, try AuthSessionPage(url, callbackScheme: scheme, over: window, ended))
      case .safariView:
        let page = SafariPage(url) { tell(.page(.closed, key)) }
        shown = (key, page)
        await page.present(over: screen)
      case .webView:
        guard let page = WebViewPage(url, of: record, trusting: trustedOrigin, tell) else {
          throw PresentationFailure.other
        }
        shown = (key, page)
        await page.present(over: screen)
      case .systemBrowser:
        // Nothing to take down later: the browser is not ours.
        guard await UIApplication.shared.open(url) else { throw PresentationFailure.noBrowser }
      case .customTab: throw PresentationFailure.noBrowser  // Android's
      }
    }

    private func close(_ key: CheckoutKey) async {
      guard let page = shown?.page, shown?.key == key else { return }
      // First, since the session and the page itself may both ask for it.
      shown = nil
      await page.takeDown()
    }

    private func openOutside(_ opening: OutsideOpening) async -> Bool {
      guard let url = exactURL(opening.url) else { return false }
      switch opening.carrier {
      // For something to be looked at, and for the web address of a bank whose app is missing: both
      // stay above the page, and the payer comes back by closing them.
      case .inAppSafari, .authSession:
        guard let screen = Screen.top, ["http", "https"].contains(url.scheme?.lowercased()) else {
          return false
        }
        screen.present(SFSafariViewController(url: url), animated: true)
        return true
      // No canOpenURL before it, so no scheme of a bank need be listed in the Info.plist.
      case .system, .customTab: return await UIApplication.shared.open(url)
      }
    }
  }

  /// The URL of a text that must go out byte for byte; nil if it would not: since iOS 17
  /// `URL(string:)` mends what it does not like.
  func exactURL(_ text: String) -> URL? {
    URL(string: text).flatMap { $0.absoluteString == text ? $0 : nil }
  }

  /// The screen that the payer looks at; nil while the app is not in front.
  @MainActor
  enum Screen {
    static var window: UIWindow? {
      UIApplication.shared.connectedScenes
        .filter { $0.activationState == .foregroundActive }
        .compactMap { ($0 as? UIWindowScene)?.keyWindow }.first
    }

    static var top: UIViewController? {
      var top = window?.rootViewController
      while let next = top?.presentedViewController { top = next }
      return top
    }
  }
#endif
