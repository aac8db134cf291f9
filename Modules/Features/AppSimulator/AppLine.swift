import CheckoutLifecycle

/// A line that the process is told on its standard input: what the payer or the system does.
enum AppLine: Hashable {
  /// `link URL`: the system opens the app with this URL.
  case link(String)
  /// `callback URL`: the browser session of the system, in which the page is shown, ends there.
  case callback(String)
  /// `close`: the payer closes the page.
  case close
  /// `background`, `foreground`
  case background, foreground
  /// `rotate`: the screen is built anew.
  case rotate
  /// `tap`: the payer taps "pay" once more.
  case tap
  /// `quit`: the payer ends the app.
  case quit
  /// `navigate URL`: the page in the app's web view goes to an address.
  case navigate(String)
  /// `page PAYMENT STATE true|false URL`: the page at URL says what it shows.
  case page(PageMessage, from: String)

  /// The words that lines begin with.
  static let words = [
    "link", "callback", "close", "background", "foreground", "rotate", "tap", "quit", "navigate",
    "page",
  ]

  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.count) {
    case ("link", 2): self = .link(words[1])
    case ("callback", 2): self = .callback(words[1])
    case ("close", 1): self = .close
    case ("background", 1): self = .background
    case ("foreground", 1): self = .foreground
    case ("rotate", 1): self = .rotate
    case ("tap", 1): self = .tap
    case ("quit", 1): self = .quit
    case ("navigate", 2): self = .navigate(words[1])
    case ("page", 2):
      let parts = words[1].split(separator: " ").map(String.init)
      guard parts.count == 4, let isFinal = Bool(parts[2]) else { return nil }
      self = .page(
        PageMessage(payment: parts[0], state: parts[1], isFinal: isFinal), from: parts[3])
    default: return nil
    }
  }
}
