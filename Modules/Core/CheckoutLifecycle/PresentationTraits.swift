/// What is true of a strategy at every provider: one row of the table ``all``.
///
/// The walk of every order of events takes its alphabet from here: what stands under ``gives``,
/// ``repeats`` or ``invents`` may come at any moment, what stands under ``loses`` may never come.
public struct PresentationTraits: Hashable, Sendable {
  /// Whose something is.
  public enum Owner: String, Hashable, Sendable {
    /// The app builds it and answers for it.
    case app
    /// The system or the browser does.
    case system
  }

  /// The strategy.
  public let strategy: PresentationStrategy
  /// Where it exists.
  public let platforms: [PresentationStrategy.Platform]
  /// Signals that the app can get.
  public let gives: [PageSignal]
  /// Signals that may stay away although the thing happened; for good if not under ``gives``.
  public let loses: [PageSignal]
  /// Signals that may come more than once for one event.
  public let repeats: [PageSignal]
  /// Signals that may come although nothing of the kind happened.
  public let invents: [PageSignal]
  /// Whether a return URL may be an https address; if not, it needs a scheme of the app's own.
  public let matchesHTTPSReturns: Bool
  /// Who draws the bar with the address and the button that closes.
  public let chrome: Owner
  /// Who asks the payer for camera, microphone and pictures.
  public let permissions: Owner
  /// Whether the page lives on when the app's screen is built anew.
  public let outlivesView: Bool
  /// Whether the page lives on when the system ends the app.
  public let outlivesProcess: Bool

  /// One row a strategy.
  public static let all: [PresentationTraits] = [
    // It reports "cancelled" also when the payer went to another app to approve, and its callback
    // dies with the process. An https callback needs iOS 17.4, which the kit does not ask for.
    PresentationTraits(
      strategy: .authSession, platforms: [.iOS], gives: [.opened, .openFailed, .returned, .closed],
      loses: [.returned], repeats: [], invents: [.closed], matchesHTTPSReturns: false,
      chrome: .system, permissions: .system, outlivesView: true, outlivesProcess: false),
    // It shows no redirect to the app: a return comes as a link, if the payer follows one. Links
    // can be opened twice, and by anybody.
    PresentationTraits(
      strategy: .safariView, platforms: [.iOS], gives: [.opened, .openFailed, .returned, .closed],
      loses: [.returned], repeats: [.returned], invents: [.returned], matchesHTTPSReturns: true,
      chrome: .system, permissions: .system, outlivesView: true, outlivesProcess: false),
    // All that it tells dies with the process; its delegate may be asked about one return twice,
    // and a script may say anything.
    PresentationTraits(
      strategy: .webView, platforms: [.iOS, .android],
      gives: [.opened, .openFailed, .returned, .closed, .wentOutside, .pageSpoke],
      loses: [.returned, .closed, .wentOutside, .pageSpoke], repeats: [.returned, .pageSpoke],
      invents: [.pageSpoke], matchesHTTPSReturns: true, chrome: .app, permissions: .app,
      outlivesView: false, outlivesProcess: false),
    // Its going away is seen only as the app's coming back, which a bank's app causes as well.
    PresentationTraits(
      strategy: .customTab, platforms: [.android], gives: [.opened, .openFailed, .returned],
      loses: [.returned, .closed], repeats: [.returned], invents: [.returned],
      matchesHTTPSReturns: true, chrome: .system, permissions: .system, outlivesView: true,
      outlivesProcess: true),
    PresentationTraits(
      strategy: .systemBrowser, platforms: [.iOS, .android],
      gives: [.opened, .openFailed, .returned], loses: [.returned, .closed], repeats: [.returned],
      invents: [.returned], matchesHTTPSReturns: true, chrome: .system, permissions: .system,
      outlivesView: true, outlivesProcess: true),
  ]

  /// The signals that may come, in the order of their enum.
  public var alphabet: [PageSignal] {
    PageSignal.allCases.filter { (gives + repeats + invents).contains($0) }
  }
}

extension PresentationStrategy {
  /// Its row in ``PresentationTraits/all``.
  public var traits: PresentationTraits {
    guard let row = PresentationTraits.all.first(where: { $0.strategy == self }) else {
      preconditionFailure("a strategy without a row")
    }
    return row
  }
}
