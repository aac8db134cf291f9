// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents them; here stands no more than their form.

public import UIKit

// What the examples use of SafariServices.

@MainActor
public final class SFSafariViewController: UIViewController {
  public init(url: URL) { super.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  public weak var delegate: (any SFSafariViewControllerDelegate)?
}

@MainActor
public protocol SFSafariViewControllerDelegate: NSObjectProtocol {
  func safariViewControllerDidFinish(_ controller: SFSafariViewController)
}
