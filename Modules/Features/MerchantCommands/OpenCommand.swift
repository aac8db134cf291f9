import CommandLineParser

/// A page that people look at.
public enum PageToOpen: Hashable, Sendable {
  /// The dashboard's first page.
  case dashboard
  /// A payment on the dashboard.
  case payment(String)
  /// An order's payment on the dashboard, or the list of its payments.
  case order(String)
  /// Where the local sandboxes are controlled.
  case sandbox(url: String)

  /// Where it is.
  ///
  /// - Parameter server: the URL of the merchant server, as ``MerchantConnection`` takes it.
  public func url(server: String) -> String {
    switch self {
    case .dashboard: Self.join(server, "/dashboard")
    case .payment(let id): Self.join(server, "/dashboard/payments/\(id)")
    case .order(let id): Self.join(server, "/dashboard/payments?q=\(id)")
    case .sandbox(let url): Self.join(url, "/sandbox")
    }
  }

  private static func join(_ base: String, _ path: String) -> String {
    (base.hasSuffix("/") ? String(base.dropLast()) : base) + path
  }
}

let openCommands = Command<TillAction>(
  group: "open", "Prints where a page for people is, and opens it in a browser",
  discussion: """
    With --browser the program that BROWSER names is started with the URL, or xdg-open; the \
    command ends when that program does.
    """,
  options: [.flag("browser", "Open it in a browser too")],
  commands: [
    Command("dashboard", "The dashboard of the server") { open(.dashboard, $0) },
    Command(
      "payment", "A payment on the dashboard",
      positionals: [.positional("id", "The payment's id", kind: uuid)]
    ) { open(.payment($0.required("id")), $0) },
    Command(
      "order", "An order's payments on the dashboard",
      positionals: [.positional("id", "The order's id", kind: uuid)]
    ) { open(.order($0.required("id")), $0) },
    Command(
      "sandbox", "Where the sandboxes are controlled: pay, decline, faults, clock, webhooks",
      options: [.option("url", "URL", "The sandboxes", kind: webURL, default: sandboxURL)]
    ) { open(.sandbox(url: $0.required("url")), $0) },
  ])

private let sandboxURL = "http://127.0.0.1:4010"
let webURL = Parameter.Kind.checked(
  expected: "a URL that begins with http:// or https://",
  { text in ["http://", "https://"].contains { text.hasPrefix($0) && text != $0 } })

private func open(_ page: PageToOpen, _ arguments: Arguments) -> TillAction {
  .open(page, inBrowser: arguments.has("browser"))
}
