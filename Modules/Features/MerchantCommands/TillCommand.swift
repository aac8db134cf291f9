public import CommandLineParser
import PaymentModels

/// The command line of `till`, declared as data.
public let tillCommand = Command<TillAction>(
  group: "till", "Talks to a merchant server, and runs provider sandboxes",
  discussion: """
    Environment:
      TILL_SERVER        URL of the merchant server (http://127.0.0.1:8080)
      TILL_APP_TOKEN     a payer's app token, for checkout create
      TILL_OPERATOR_KEY  an operator key, for everything else
      NO_COLOR           no colour, also on a terminal

    Exit codes: 0 done · 1 the state does not allow it · 64 wrong usage · 65 wrong data ·
    66 not found · 69 server or provider not available · 75 the end is not known yet ·
    77 token or key not accepted
    """,
  options: [.flag("json", "Print the server's JSON, one document")],
  examples: [
    ("till run", "a sandbox and a server, with data that is gone afterwards"),
    ("till checkout create --item tee:2", "buys two of one product"),
    ("till payment watch ID", "follows the payment until it has come to its end"),
  ],
  commands: [
    checkoutCommands, orderCommands, paymentCommands, sandboxCommand, runCommand,
  ])

private let uuid = Parameter.Kind.checked(
  expected: "an id: a UUID in lower case", { isCanonicalUUID($0) })
private let amount = Parameter.Kind.checked(
  expected: "a plain decimal amount such as 19.99",
  { text in
    text.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 } && text.first?.isNumber == true
  })
private let keyOption = Parameter.option(
  "key", "KEY", "Idempotency key: the same key never does it twice; made anew if not given")

private let checkoutCommands = Command<TillAction>(
  group: "checkout", "Opens checkouts",
  commands: [
    Command(
      "create", "Creates a checkout and prints the URL of the hosted page",
      discussion: "Prices are the server's. Takes TILL_APP_TOKEN.",
      options: [
        .option(
          "item", "PRODUCT[:QUANTITY]", "A product to buy; may be repeated",
          kind: .checked(expected: "PRODUCT or PRODUCT:QUANTITY", { TillAction.Item($0) != nil }),
          count: .repeated),
        .option("order", "ORDER_ID", "Another try at an order that exists", kind: uuid),
        .option("provider", "NAME", "At which provider", default: "tabby"), keyOption,
      ],
      examples: [("till checkout create --item tee:2 --item mug", "three pieces, one order")]
    ) { arguments throws(UsageError) in
      let items = arguments.all("item").compactMap { TillAction.Item($0) }
      let order = arguments.text("order")
      guard items.isEmpty != (order == nil) else {
        throw UsageError("name what to buy: --item, or --order for another try at an order")
      }
      return .ask(
        .createCheckout(
          provider: arguments.required("provider"), items: items, order: order,
          key: arguments.text("key")), asJSON: arguments.has("json"))
    }
  ])

private let orderCommands = Command<TillAction>(
  group: "order", "Orders and all that happened to them",
  commands: [
    Command(
      "show", "Shows an order as its providers have it now",
      positionals: [.positional("id", "The order's id", kind: uuid)]
    ) { .ask(.showOrder($0.required("id")), asJSON: $0.has("json")) },
    Command(
      "explain", "Tells what happened to an order, who said so, and what it changed",
      positionals: [.positional("id", "The order's id", kind: uuid)]
    ) { .ask(.explainOrder($0.required("id")), asJSON: $0.has("json")) },
    Command(
      "cancel", "Cancels an order once no payment of it holds money",
      discussion: "Money that is held is given back; a page that is open can still be paid until "
        + "it expires, and the order waits for that. A paid order is refunded, not cancelled.",
      positionals: [.positional("id", "The order's id", kind: uuid)]
    ) { .ask(.cancelOrder($0.required("id")), asJSON: $0.has("json")) },
  ])

private let paymentCommands = Command<TillAction>(
  group: "payment", "Payments: show, follow, capture, refund, close",
  commands: [
    Command(
      "show", "Shows a payment as its provider has it now",
      positionals: [.positional("id", "The payment's id, ours or the provider's", kind: uuid)]
    ) { .ask(.showPayment($0.required("id")), asJSON: $0.has("json")) },
    Command(
      "list", "Lists the newest payments",
      options: [
        .option(
          "limit", "N", "At most so many", kind: .integer(1...100), default: "20"),
        .option("before", "PAYMENT_ID", "Those older than this one", kind: uuid),
      ]
    ) { arguments in
      .ask(
        .listPayments(limit: arguments.integer("limit") ?? 20, before: arguments.text("before")),
        asJSON: arguments.has("json"))
    },
    Command(
      "watch", "Follows a payment until it has come to its end",
      options: [
        .option(
          "for", "SECONDS", "Gives up after so long; the payment goes on",
          kind: .integer(1...86_400), default: "1800")
      ], positionals: [.positional("id", "The payment's id", kind: uuid)]
    ) { arguments in
      .ask(
        .watchPayment(arguments.required("id"), seconds: arguments.integer("for") ?? 1_800),
        asJSON: arguments.has("json"))
    },
    operation(.capture, "Takes held money", "Without --amount: all that is left to capture."),
    operation(
      .refund, "Gives captured money back",
      "Without --amount: all that is left, after the provider was read."),
    operation(.close, "Cancels what is not captured, for good", ""),
  ])

private func operation(
  _ kind: TillAction.Operation, _ summary: String, _ discussion: String
) -> Command<TillAction> {
  let amountOption = Parameter.option("amount", "AMOUNT", "How much, decimal", kind: amount)
  return Command(
    kind.rawValue, summary, discussion: discussion,
    options: [.option("reason", "TEXT", "Why; goes to the journal"), keyOption]
      + (kind == .close ? [] : [amountOption]),
    positionals: [.positional("id", "The payment's id", kind: uuid)]
  ) { arguments in
    .ask(
      .operate(
        kind, payment: arguments.required("id"),
        amount: kind == .close ? nil : arguments.text("amount"), reason: arguments.text("reason"),
        key: arguments.text("key")), asJSON: arguments.has("json"))
  }
}

private let sandboxCommand = Command<TillAction>(
  "sandbox", "Serves a fake Tabby on this machine: API, hosted page, webhooks",
  discussion: "Accepts any sk_test_ key. Settings, faults and the clock: see /sandbox.",
  options: [
    .option(
      "port", "PORT", "Port on 127.0.0.1; 0 lets the system choose", kind: .integer(0...65_535),
      default: "4010"),
    .flag("strict", "Refuses requests that do not fit the published schema"),
  ]
) { .sandbox(SandboxOptions(port: $0.integer("port") ?? 4_010, isStrict: $0.has("strict"))) }

private let runCommand = Command<TillAction>(
  "run", "Runs a sandbox and a merchant server until Ctrl-C",
  discussion: "Data lies in a temporary directory and is removed at the end."
) { _ in .run }
