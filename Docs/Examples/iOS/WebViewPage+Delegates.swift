#if canImport(UIKit) && canImport(WebKit)
  import CheckoutLifecycle
  import UIKit
  import WebKit

  extension WebViewPage: WKNavigationDelegate {
    func webView(
      _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy {
      // A window of its own is decided where it would be made, so that it is decided once.
      guard let frame = navigationAction.targetFrame else { return .allow }
      let target: NavigationRequest.Target = frame.isMainFrame ? .mainFrame : .subframe
      let decision = rules.navigate(to: request(navigationAction, target, in: webView))
      return follow(decision, navigationAction.request) ? .allow : .cancel
    }

    func webView(
      _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse
    ) async -> WKNavigationResponsePolicy {
      guard !navigationResponse.canShowMIMEType, let url = navigationResponse.response.url else {
        return .allow
      }
      let request = NavigationRequest(
        url: url.absoluteString, target: navigationResponse.isForMainFrame ? .mainFrame : .subframe,
        isDownload: true, depth: depth(of: webView))
      // A file is opened outside or goes nowhere; nothing of it loads here.
      _ = follow(rules.navigate(to: request), URLRequest(url: url))
      return .cancel
    }

    /// The payer sees to whom the page belongs.
    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {
      if webView === views.last { navigationItem.title = webView.url?.host }
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { loseContent() }

    private func request(
      _ action: WKNavigationAction, _ target: NavigationRequest.Target, in webView: WKWebView
    ) -> NavigationRequest {
      // `window.open()` names nothing: the window is empty until a script fills it.
      let text = action.request.url?.absoluteString ?? ""
      return NavigationRequest(
        url: text.isEmpty ? "about:blank" : text, target: target,
        // The nearest to a tap that WebKit tells.
        hasGesture: [.linkActivated, .formSubmitted].contains(action.navigationType),
        isPost: action.request.httpMethod == "POST", isDownload: action.shouldPerformDownload,
        depth: depth(of: webView))
    }

    private func depth(of webView: WKWebView) -> Int {
      views.firstIndex { $0 === webView } ?? 0
    }
  }

  extension WebViewPage: WKUIDelegate {
    func webView(
      _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
      for navigationAction: WKNavigationAction, windowFeatures: WKWindowFeatures
    ) -> WKWebView? {
      let decision = rules.navigate(to: request(navigationAction, .newWindow, in: webView))
      guard case .openChild = decision else {
        _ = follow(decision, navigationAction.request)
        return nil
      }
      // With this configuration alone the page keeps its hold on the window (`window.opener`).
      return add(WKWebView(frame: view.bounds, configuration: configuration))
    }

    func webViewDidClose(_ webView: WKWebView) {
      // The page's own script cannot end the page; a window takes those over it with it.
      guard let index = views.firstIndex(where: { $0 === webView }), index > 0 else { return }
      for view in views[index...] {
        view.removeFromSuperview()
        rules.closeWindow()
      }
      views.removeSubrange(index...)
      navigationItem.title = views.last?.url?.host
    }

    func webView(
      _ webView: WKWebView, requestMediaCapturePermissionFor origin: WKSecurityOrigin,
      initiatedByFrame frame: WKFrameInfo, type: WKMediaCaptureType
    ) async -> WKPermissionDecision {
      let wishes: [PagePermission] =
        switch type {
        case .camera: [.camera]
        case .microphone: [.microphone]
        case .cameraAndMicrophone: [.camera, .microphone]
        @unknown default: []
        }
      // WebKit takes one answer for the whole wish. A window is not the provider's page.
      guard webView === views.first,
        case .ask(wishes, _) = permissions?.decide(
          wishes, from: address(of: frame), isMainFrame: frame.isMainFrame)
      else { return .deny }
      return .prompt
    }

    private func address(of frame: WKFrameInfo) -> String {
      let origin = frame.securityOrigin
      let port = origin.port == 0 ? "" : ":\(origin.port)"
      return "\(origin.protocol)://\(origin.host)\(port)"
    }
  }

  extension WebViewPage: WKScriptMessageHandler {
    /// News for the screen; never kept and never logged: a page can say anything.
    private struct Message: Decodable {
      let payment: String
      let state: String
      let final: Bool
    }

    func userContentController(
      _ userContentController: WKUserContentController, didReceive message: WKScriptMessage
    ) {
      let frame = message.frameInfo
      guard let text = message.body as? String,
        let said = try? JSONDecoder().decode(Message.self, from: Data(text.utf8)),
        rules.hear(
          PageMessage(payment: said.payment, state: said.state, isFinal: said.final),
          from: address(of: frame), isMainFrame: frame.isMainFrame)
      else { return }
      tell(.page(.pageSpoke(isFinal: said.final), key))
    }
  }
#endif
