// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents them; here stands no more than their form.

@_exported import Foundation

// What the examples use of UIKit, so that they compile and run without Apple's SDK. Signatures are
// written from Apple's documentation; a body does what the stories of check-examples need.

/// What was put up, taken down and opened, in its order.
@MainActor
public enum StandIn {
  public static var log: [String] = []
}

@MainActor
open class UIResponder: NSObject {
  nonisolated public override init() { super.init() }
}

@MainActor
open class UIView: UIResponder {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
  }

  public init(frame: CGRect) { super.init() }
  public var autoresizingMask: AutoresizingMask = []
  public var bounds: CGRect { .zero }
  public func addSubview(_ view: UIView) {}
  public func removeFromSuperview() {}
}

@MainActor
open class UIWindow: UIView {
  public var rootViewController: UIViewController?
}

public enum UIModalPresentationStyle: Int, Sendable {
  case fullScreen = 0
  case pageSheet = 1
}

@MainActor
open class UIViewController: UIResponder {
  public init(nibName: String?, bundle: Bundle?) { super.init() }
  public required init?(coder: NSCoder) { super.init() }
  public var view: UIView! = UIView(frame: .zero)
  public var navigationItem: UINavigationItem { UINavigationItem() }
  public var modalPresentationStyle = UIModalPresentationStyle.pageSheet
  public private(set) var presentedViewController: UIViewController?
  public private(set) weak var presentingViewController: UIViewController?
  public var isBeingPresented: Bool { false }
  public var isBeingDismissed: Bool { false }
  open func viewDidLoad() {}
  open func present(
    _ viewController: UIViewController, animated: Bool, completion: (() -> Void)? = nil
  ) {
    StandIn.log.append("present \(type(of: viewController))")
    presentedViewController = viewController
    viewController.presentingViewController = self
    viewController.loadViewIfNeeded()
    completion?()
  }
  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    StandIn.log.append("dismiss")
    presentedViewController?.presentingViewController = nil
    presentedViewController = nil
    completion?()
  }
  open func loadViewIfNeeded() { viewDidLoad() }
}

@MainActor
open class UINavigationController: UIViewController {
  private let root: UIViewController?
  public init(rootViewController: UIViewController) {
    root = rootViewController
    super.init(nibName: nil, bundle: nil)
  }
  public required init?(coder: NSCoder) { nil }
  open override func loadViewIfNeeded() { root?.loadViewIfNeeded() }
}

@MainActor
public final class UINavigationItem: NSObject {
  public var title: String?
  public var leftBarButtonItem: UIBarButtonItem?
  public var rightBarButtonItem: UIBarButtonItem?
}

@MainActor
public final class UIBarButtonItem: NSObject {
  public enum SystemItem: Int, Sendable { case close, refresh }
  public init(systemItem: SystemItem, primaryAction: UIAction? = nil) {}
}

@MainActor
public final class UIAction: NSObject {
  public init(handler: @escaping (UIAction) -> Void) {}
}

@MainActor
open class UIScene: UIResponder {
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive, foregroundInactive, background
  }
  public var activationState = ActivationState.foregroundActive
}

@MainActor
public final class UIWindowScene: UIScene {
  public var keyWindow: UIWindow?
}

@MainActor
public final class UIApplication: UIResponder {
  public struct OpenExternalURLOptionsKey: Hashable, Sendable {}
  public static let shared = UIApplication()
  public var connectedScenes: Set<UIScene> = []
  /// Whether an app takes what is opened; not UIKit's.
  public var isTaken = true
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]
  ) async -> Bool {
    StandIn.log.append("open \(url.absoluteString)")
    return isTaken
  }
}

public enum UIBackgroundFetchResult: UInt, Sendable { case newData, noData, failed }

/// The one method that the examples write; UIKit's own methods are optional, which a stand-in
/// cannot say, so that a misspelt one is an error here.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult
}
