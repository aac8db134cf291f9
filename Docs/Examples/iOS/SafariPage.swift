#if canImport(UIKit) && canImport(WebKit)
  import SafariServices
  import UIKit

  /// The system's browser inside the app. It shows no redirect to the app: a return comes as a
  /// link, which the session answers by taking this down.
  @MainActor
  final class SafariPage: NSObject, ShownPage, SFSafariViewControllerDelegate {
    private let controller: SFSafariViewController
    private let closed: @MainActor () -> Void

    /// - Parameter url: of the web; anything else traps in `SFSafariViewController`. The kit lets
    ///   no other through to a page.
    init(_ url: URL, _ closed: @escaping @MainActor () -> Void) {
      controller = SFSafariViewController(url: url)
      self.closed = closed
      super.init()
      controller.delegate = self
    }

    func present(over screen: UIViewController) async { await screen.show(controller) }

    func takeDown() async { await controller.leave() }

    func safariViewControllerDidFinish(_ controller: SFSafariViewController) { closed() }
  }

  extension UIViewController {
    /// Returns when the other is on the screen: nothing can be taken down before.
    func show(_ other: UIViewController) async {
      await withCheckedContinuation { done in
        present(other, animated: true) { done.resume() }
      }
    }

    /// Returns when this and what lies over it are gone: the next screen can be presented then.
    func leave() async {
      guard let below = presentingViewController, !isBeingDismissed else { return }
      await withCheckedContinuation { done in
        below.dismiss(animated: true) { done.resume() }
      }
    }
  }
#endif
