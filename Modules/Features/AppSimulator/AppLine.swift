import CheckoutLifecycle

/// A line that the process is told on its standard input: what the payer or the system does.
enum AppLine: Hashable {
  /// `link URL`: the system opens the app with this URL.
  case link(String)
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

  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.count) {
    case ("link", 2): self = .link(words[1])
    case ("close", 1): self = .close
    case ("background", 1): self = .background
    case ("foreground", 1): self = .foreground
    case ("rotate", 1): self = .rotate
    case ("tap", 1): self = .tap
    case ("quit", 1): self = .quit
    default: return nil
    }
  }
}
