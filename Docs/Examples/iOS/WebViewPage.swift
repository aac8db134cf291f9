#if canImport(UIKit) && canImport(WebKit)
  import CheckoutLifecycle
  import UIKit
  import WebKit

  /// A hosted page in a web view of the app, for the providers whose documents have it there. The
  /// app owns all that a browser would do: the bar, the way out, windows, permissions, other apps.
  @MainActor
  final class WebViewPage: UIViewController, ShownPage {
    /// How the page tells its state (Futa). No document names it; this is the sandbox's.
    static let messageName = "futa"

    let key: CheckoutKey
    let permissions: PermissionPolicy?
    let tell: @MainActor (Happening) -> Void
    /// What may load, and how it ended. Every navigation goes through it.
    var rules: PageSession
    /// The page's own view, and the windows over it.
    var views: [WKWebView] = []
    private let url: URL
    private var bar: UINavigationController?

    /// Nil if the page must not load here: the app trusts no origin, or another one.
    init?(
      _ url: URL, of record: CheckoutRecord, trusting origin: CheckoutOrigin?,
      _ tell: @escaping @MainActor (Happening) -> Void
    ) {
      guard let policy = record.navigationPolicy(on: .iOS, trusting: origin) else { return nil }
      var rules = PageSession(policy)
      guard rules.navigate(to: NavigationRequest(url: url.absoluteString)) == .load else {
        return nil
      }
      key = record.key
      permissions = record.permissionPolicy
      self.rules = rules
      self.url = url
      self.tell = tell
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func present(over screen: UIViewController) async {
      let bar = UINavigationController(rootViewController: self)
      // Full screen has no swipe that closes it unseen: the button is the only way out.
      bar.modalPresentationStyle = .fullScreen
      self.bar = bar
      await screen.show(bar)
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      let configuration = WKWebViewConfiguration()
      if case .checkoutOrigin = rules.policy.scope {
        configuration.userContentController.add(self, name: Self.messageName)
      }
      add(WKWebView(frame: view.bounds, configuration: configuration)).load(URLRequest(url: url))
      navigationItem.title = url.host
      navigationItem.leftBarButtonItem = UIBarButtonItem(
        systemItem: .close, primaryAction: UIAction { [weak self] _ in self?.close() })
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        systemItem: .refresh, primaryAction: UIAction { [weak self] _ in self?.reload() })
    }

    func takeDown() async {
      // Also the app's close is told once, and nothing loads any more.
      _ = rules.close()
      await bar?.leave()
      for view in views { view.stopLoading() }
      // The view's configuration holds its handler, which would hold this page for ever.
      views.first?.configuration.userContentController
        .removeScriptMessageHandler(forName: Self.messageName)
    }

    @discardableResult
    func add(_ webView: WKWebView) -> WKWebView {
      webView.navigationDelegate = self
      webView.uiDelegate = self
      webView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.addSubview(webView)
      views.append(webView)
      return webView
    }

    /// Closes the window on top, or the page: that asks the server and says no more. Also after a
    /// return, when the page waits for the server's answer (SEB): the payer may always go.
    private func close() {
      if views.count > 1, let top = views.last { return webViewDidClose(top) }
      _ = rules.close()
      tell(.page(.closed, key))
    }

    /// The payer's way on after a page that did not load; no timer and no error ends the page.
    private func reload() {
      guard let top = views.last, top.url == nil else {
        views.last?.reload()
        return
      }
      top.load(URLRequest(url: url))
    }

    /// Does what was decided; returns whether the view that asked may load.
    func follow(_ decision: NavigationDecision, _ request: URLRequest) -> Bool {
      switch decision {
      case .load: return true
      case .loadInPlace: views.first?.load(request)
      case .block, .openChild: break
      case .interceptReturn(let link): tell(.page(.returned(link), key))
      // The address leads to this very app, so nothing is opened: iOS hands an app's own universal
      // link to Safari.
      case .openOutside(let opening, ends: .returned):
        guard let link = rules.policy.returns?.match(opening.url) else { break }
        tell(.page(.returned(link), key))
      case .openOutside(_, let end):
        tell(.outside(decision, key))
        if end != nil { tell(.page(.closed, key)) }
      case .openReceipt: tell(.outside(decision, key))
      }
      return false
    }

    /// The page cannot be seen in a process that died: the checkout asks the server, and opens it
    /// anew if it can still be paid.
    func loseContent() { tell(.page(.viewRecreated, key)) }
  }
#endif
