// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents them; here stands no more than their form.

public import UIKit

#if canImport(FoundationNetworking)
  // URLRequest and URLResponse are Foundation's on Apple platforms.
  @_exported public import FoundationNetworking
#endif

// What the examples use of WebKit. The methods of the delegates are optional in WebKit; here they
// are required, so that a misspelt one, which WebKit would never call, is an error.

@MainActor
public final class WKWebViewConfiguration: NSObject {
  nonisolated public override init() { super.init() }
  public var userContentController: WKUserContentController { WKUserContentController() }
}

@MainActor
open class WKWebView: UIView {
  public init(frame: CGRect, configuration: WKWebViewConfiguration) {
    super.init(frame: frame)
    Self.last = self
  }
  /// The newest view; not WebKit's.
  public static weak var last: WKWebView?
  public weak var navigationDelegate: (any WKNavigationDelegate)?
  public weak var uiDelegate: (any WKUIDelegate)?
  public var configuration: WKWebViewConfiguration { WKWebViewConfiguration() }
  public var url: URL? { nil }
  @discardableResult public func load(_ request: URLRequest) -> WKNavigation? { nil }
  @discardableResult public func reload() -> WKNavigation? { nil }
  public func stopLoading() {}
}

@MainActor
public final class WKNavigation: NSObject {}

public enum WKNavigationType: Int, Sendable {
  case linkActivated, formSubmitted, backForward, reload, formResubmitted
  case other = -1
}

public enum WKNavigationActionPolicy: Int, Sendable { case cancel, allow, download }
public enum WKNavigationResponsePolicy: Int, Sendable { case cancel, allow, download }
public enum WKPermissionDecision: Int, Sendable { case prompt, grant, deny }
public enum WKMediaCaptureType: Int, Sendable { case camera, microphone, cameraAndMicrophone }

@MainActor
public final class WKSecurityOrigin: NSObject {
  public var `protocol`: String { "" }
  public var host: String { "" }
  public var port: Int { 0 }
}

@MainActor
public final class WKFrameInfo: NSObject {
  public var isMainFrame: Bool { true }
  public var securityOrigin: WKSecurityOrigin { WKSecurityOrigin() }
}

@MainActor
public final class WKNavigationAction: NSObject {
  public let request: URLRequest
  public let targetFrame: WKFrameInfo?
  /// Not WebKit's.
  public init(_ request: URLRequest, in targetFrame: WKFrameInfo?) {
    self.request = request
    self.targetFrame = targetFrame
  }
  public var navigationType: WKNavigationType { .other }
  public var shouldPerformDownload: Bool { false }
}

@MainActor
public final class WKNavigationResponse: NSObject {
  public var isForMainFrame: Bool { false }
  public var response: URLResponse { preconditionFailure("a stand-in") }
  public var canShowMIMEType: Bool { false }
}

@MainActor
public final class WKWindowFeatures: NSObject {}

@MainActor
public protocol WKNavigationDelegate: NSObjectProtocol {
  func webView(
    _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
  ) async -> WKNavigationActionPolicy
  func webView(
    _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse
  ) async -> WKNavigationResponsePolicy
  func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!)
  func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

@MainActor
public protocol WKUIDelegate: NSObjectProtocol {
  func webView(
    _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
    for navigationAction: WKNavigationAction, windowFeatures: WKWindowFeatures
  ) -> WKWebView?
  func webViewDidClose(_ webView: WKWebView)
  func webView(
    _ webView: WKWebView, requestMediaCapturePermissionFor origin: WKSecurityOrigin,
    initiatedByFrame frame: WKFrameInfo, type: WKMediaCaptureType
  ) async -> WKPermissionDecision
}

@MainActor
public final class WKScriptMessage: NSObject {
  public var body: Any { "" }
  public var frameInfo: WKFrameInfo { WKFrameInfo() }
}

@MainActor
public protocol WKScriptMessageHandler: NSObjectProtocol {
  func userContentController(
    _ userContentController: WKUserContentController, didReceive message: WKScriptMessage)
}

@MainActor
public final class WKUserContentController: NSObject {
  public func add(_ scriptMessageHandler: any WKScriptMessageHandler, name: String) {}
  public func removeScriptMessageHandler(forName name: String) {}
}
