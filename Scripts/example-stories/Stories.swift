import AuthenticationServices
import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import UIKit
import WebKit

/// Plays the examples' presenter and a real `CheckoutSession` against the stand-ins: what was put
/// up, taken down and opened, in which order, and where the checkout ended.
@main
@MainActor
enum Stories {
  static func main() async throws {
    try await auth()
    try await outside()
    try await webView()
    try await windows()
    print("stories: \(Story.count) right")
  }

  private static func auth() async throws {
    try await Story.play("the session's callback is a return", .rais, .authSession) { story in
      await story.server.set(.captured)
      ASWebAuthenticationSession.last?.complete(URL(string: "myapp://pay/success?x=1"), nil)
      try await story.ends(.settled(.succeeded), after: ["session for myapp"])
    }
    try await Story.play("a closed session asks, and paid is shown", .rais, .authSession) { story in
      ASWebAuthenticationSession.last?.complete(nil, CancellationError())
      try await story.reaches(.confirming(pageIsUp: false))
      await story.server.set(.captured)
      story.presenter.tell(.becameActive)
      try await story.ends(.settled(.succeeded), after: ["session for myapp"])
    }
    try await Story.play("a link takes the session down", .rais, .authSession) { story in
      await story.server.set(.captured)
      story.presenter.tell(.link(URL(string: "myapp://pay/success")!))
      try await story.ends(.settled(.succeeded), after: ["session for myapp", "cancel"])
    }
  }

  private static func outside() async throws {
    try await Story.play("the payer closes Safari", .tabby, .safariView) { story in
      await story.server.set(.rejected)
      story.presenter.tell(.page(.closed, story.key))
      try await story.ends(
        .settled(.failed(.rejected)), after: ["present SFSafariViewController", "dismiss"])
    }
    try await Story.play("the browser, and back without a link", .tabby, .systemBrowser) { story in
      await story.server.set(.authorized)
      story.presenter.tell(.becameActive)
      try await story.ends(.settled(.succeeded), after: ["open \(Server.page)"])
    }
  }

  private static func webView() async throws {
    try await Story.play("a bank's app and a return", .tabby, .webView) { story in
      story.expect(await story.goes(to: "https://bank.example/3ds"))
      story.expect(await !story.goes(to: "bankapp://auth"))
      await story.server.set(.authorized)
      story.expect(await !story.goes(to: "myapp://pay/cancel"))
      story.expect(await !story.goes(to: "https://bank.example/3ds"))
      try await story.ends(
        .settled(.succeeded),
        after: ["present UINavigationController", "open bankapp://auth", "dismiss"])
    }
    try await Story.play("the page goes before the result", ProviderName("seb"), .webView) {
      story in
      story.expect(await !story.goes(to: "myapp://pay/success"))
      try await story.reaches(.confirming(pageIsUp: true))
      await story.server.set(.captured)
      story.presenter.tell(.becameActive)
      try await story.ends(
        .settled(.succeeded), after: ["present UINavigationController", "dismiss"])
    }
    try await Story.play("another site opens outside", .futa, .webView) { story in
      story.expect(await !story.goes(to: "https://bank.example/login"))
      try await story.reaches(.confirming(pageIsUp: false))
      await story.server.set(.captured)
      story.presenter.tell(.becameActive)
      try await story.ends(
        .settled(.succeeded),
        after: ["present UINavigationController", "open https://bank.example/login", "dismiss"])
    }
  }

  private static func windows() async throws {
    try await Story.play("windows, and a page that dies", .tabby, .webView) { story in
      guard let page = WKWebView.last else { return story.expect(false) }
      let empty = WKNavigationAction(URLRequest(url: URL(string: "about:blank")!), in: nil)
      story.expect(await page.navigationDelegate?.webView(page, decidePolicyFor: empty) == .allow)
      var top = page
      for _ in 0..<2 {
        let window = top.uiDelegate?.webView(
          top, createWebViewWith: WKWebViewConfiguration(), for: empty,
          windowFeatures: WKWindowFeatures())
        guard let window else { return story.expect(false, "no window") }
        top = window
      }
      let tooDeep = top.uiDelegate?.webView(
        top, createWebViewWith: WKWebViewConfiguration(), for: empty,
        windowFeatures: WKWindowFeatures())
      story.expect(tooDeep == nil)
      top.uiDelegate?.webViewDidClose(top)
      page.navigationDelegate?.webViewWebContentProcessDidTerminate(page)
      let log = ["present UINavigationController", "dismiss", "present UINavigationController"]
      try await story.ends(.presented, after: log)
    }
  }
}
