public import CheckoutLifecycle
public import CommandLineParser
import PaymentModels

/// What a command line of `till-app` asks of one app process.
public struct AppInvocation: Hashable, Sendable {
  /// Environment variable with the merchant server's URL.
  public static let serverVariable = "TILL_SERVER"
  /// Environment variable with the payer's app token.
  public static let tokenVariable = "TILL_APP_TOKEN"

  /// What to do.
  public var errand: AppErrand
  /// File of the device store.
  public var store: String
  /// Whether the process goes on after the outcome.
  public var stays: Bool
  /// Where it stops and waits to be killed; nil for nowhere.
  public var pausesAt: CrashPoint?
  /// Origin of the checkout that the app trusts with its web view; nil for none.
  public var checkoutOrigin: CheckoutOrigin?
}

/// The commands `buy` and `resume`, to be put under `till-app`.
///
/// - Parameters:
///   - more: options of the program's own.
///   - wrap: makes the program's own action out of an invocation and all that was given.
public func appCommands<Action>(
  options more: [Parameter] = [],
  _ wrap: @escaping @Sendable (AppInvocation, Arguments) -> Action
) -> [Command<Action>] {
  let discussion = """
    Reads lines: link URL, callback URL, navigate URL, page PAYMENT STATE FINAL URL, close, \
    background, foreground, rotate, tap, quit. Prints one JSON object a line. Takes TILL_SERVER \
    and TILL_APP_TOKEN.
    """
  let buy = Command<Action>(
    "buy", "Starts a checkout as the app does when the payer taps pay", discussion: discussion,
    options: appOptions + more + [
      .option(
        "item", "PRODUCT[:QUANTITY]", "A product to buy",
        kind: .checked(expected: "PRODUCT or PRODUCT:QUANTITY", { item($0) != nil }),
        count: .repeated),
      .option(
        "order", "ORDER_ID", "Another try at an order that exists",
        kind: .checked(expected: "an id: a UUID in lower case", { isCanonicalUUID($0) })),
      .option(
        "provider", "NAME", "At which provider", kind: .choice(providers),
        default: ProviderName.tabby.rawValue),
      .option(
        "strategy", "NAME", "How the page is shown; the recommended way if not given",
        kind: .choice(PresentationStrategy.allCases.map(\.rawValue))),
    ],
    examples: [("till-app buy --store phone.db --item tee:2", "one checkout, on this phone")]
  ) { arguments throws(UsageError) in
    let request = try request(arguments)
    let strategy = arguments.text("strategy").flatMap { PresentationStrategy(rawValue: $0) }
    return wrap(invocation(.buy(request, strategy: strategy), arguments), arguments)
  }
  let resume = Command<Action>(
    "resume", "Starts the app anew, with what its store holds", discussion: discussion,
    options: appOptions + more + [
      .option("link", "URL", "The link that the system starts the app for")
    ],
    examples: [("till-app resume --store phone.db", "asks about every open checkout")]
  ) { wrap(invocation($0.text("link").map { .launch(link: $0) } ?? .resume, $0), $0) }
  return [buy, resume]
}

private let appOptions: [Parameter] = [
  .option("store", "FILE", "The device store", count: .required),
  .flag("stay", "Go on after the outcome, until quit or the end of input"),
  .option(
    "pause-at", "POINT", "Stop there and wait to be killed",
    kind: .choice(CrashPoint.allCases.map(\.rawValue))),
  .option(
    "checkout-origin", "ORIGIN", "The checkout that the app's web view may load",
    kind: .checked(expected: "https://HOST, or http://127.0.0.1:PORT", { origin($0) != nil })),
]

/// Those whose pages an app can show, in the order of the table.
private let providers: [String] = PresentationRule.all.map(\.provider.rawValue)
  .reduce(into: []) { names, name in
    if !names.contains(name) { names.append(name) }
  }

/// A simulator reaches the developer's own machine, as on iOS.
private func origin(_ text: String) -> CheckoutOrigin? { CheckoutOrigin(text, on: .iOS) }

private func invocation(_ errand: AppErrand, _ arguments: Arguments) -> AppInvocation {
  AppInvocation(
    errand: errand, store: arguments.required("store"), stays: arguments.has("stay"),
    pausesAt: arguments.text("pause-at").flatMap { CrashPoint(rawValue: $0) },
    checkoutOrigin: arguments.text("checkout-origin").flatMap(origin))
}

private func request(_ arguments: Arguments) throws(UsageError) -> CheckoutRequest {
  let items = arguments.all("item").compactMap(item)
  let order = arguments.text("order")
  guard items.isEmpty != (order == nil) else {
    throw UsageError(
      items.isEmpty
        ? "name what to buy: --item, or --order for another try at an order"
        : "--item makes a new order, --order tries one again: name one of them")
  }
  return CheckoutRequest(
    provider: ProviderName(arguments.required("provider")),
    purchase: order.map { .order(OrderID($0)) } ?? .items(items))
}

private func item(_ text: String) -> CheckoutRequest.Item? {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  guard parts.count <= 2, let id = parts.first, !id.isEmpty,
    let quantity = parts.count == 2 ? Int64(parts[1]) : 1
  else { return nil }
  return CheckoutRequest.Item(productID: String(id), quantity: quantity)
}
