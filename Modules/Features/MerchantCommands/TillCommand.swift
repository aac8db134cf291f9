public import CommandLineParser
import PaymentModels

/// The command line of `till`, declared as data.
public let tillCommand = Command<TillAction>(
  group: "till", "Talks to a merchant server, and runs provider sandboxes",
  discussion: """
    Environment:
      TILL_SERVER        URL of the merchant server (http://127.0.0.1:8080)
      TILL_APP_TOKEN     a payer's app token, for checkout create
      TILL_OPERATOR_KEY  an operator key, for all else that asks the server
      BROWSER            the program that till open --browser starts
      COLUMNS            columns of the terminal, if it is not asked itself
      NO_COLOR           no colour, also on a terminal

    Exit codes:
      0   done                           73  a file cannot be written there
      1   not allowed, refused, differs  74  a store or copy cannot be read
      64  wrong usage                    75  the end is not known yet
      65  wrong data                     77  token or key missing or not accepted
      66  not found                      78  a variable or setting is wrong
      69  server or provider is out
    """,
  examples: [
    ("till run", "a sandbox and a server, with data that is gone afterwards"),
    ("till checkout create --item tee:2", "buys two of one product"),
    ("till payment watch ID", "follows the payment until it has come to its end"),
  ],
  commands: [
    initCommand, checkoutCommands, orderCommands, paymentCommands, reviewCommands, explainCommand,
    reconcileCommand, exportCommand, webhookCommands, endpointCommands, outboxCommands,
    providerCommands, buyerCommands, doctorCommand, backupCommand, restoreCommand,
    providersCommand, openCommands, conformanceCommand, receiveCommand, sandboxCommand, runCommand,
    completionsCommand,
  ])

/// The provider of commands that name none; `Scripts/new-merchant` puts one of its own here.
let usualProvider = "tabby"
let jsonFlag = Parameter.flag("json", "Print the server's answer as it is, in JSON")
let uuid = Parameter.Kind.checked(
  expected: "an id: a UUID in lower case", { isCanonicalUUID($0) })
private let amount = Parameter.Kind.checked(
  expected: "a plain decimal amount such as 19.99",
  { text in
    let halves = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let hasLeadingZero = halves[0].count > 1 && halves[0].first == UInt8(ascii: "0")
    return halves.count <= 2 && !hasLeadingZero
      && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }
  })
/// As long as the server takes, and nothing that cannot stand in a header.
private let keyText = Parameter.Kind.checked(
  expected: "a key: 1 to 64 visible ASCII characters",
  { text in
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  })
let keyOption = Parameter.option(
  "key", "KEY", "Idempotency key: the same key never does it twice; made anew if not given",
  kind: keyText)

let reasonOption = Parameter.option(
  "reason", "TEXT", "Why; goes to the journal with the name of the key",
  kind: .checked(
    expected: "a reason: one line of 1 to 255 bytes",
    { text in
      (1...255).contains(text.utf8.count) && !text.allSatisfy(\.isWhitespace)
        && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }), count: .required)

private let checkoutCommands = Command<TillAction>(
  group: "checkout", "Opens checkouts", options: [jsonFlag],
  commands: [
    Command(
      "create", "Creates a checkout and prints the URL of the hosted page",
      discussion: "Prices are the server's. Takes TILL_APP_TOKEN.",
      options: [
        .option(
          "item", "PRODUCT[:QUANTITY]", "A product to buy",
          kind: .checked(expected: "PRODUCT or PRODUCT:QUANTITY", { TillAction.Item($0) != nil }),
          count: .repeated),
        .option("order", "ORDER_ID", "Another try at an order that exists", kind: uuid),
        .option("provider", "NAME", "At which provider", default: usualProvider), keyOption,
      ],
      examples: [("till checkout create --item tee:2 --item mug", "three pieces, one order")]
    ) { arguments throws(UsageError) in
      let items = arguments.all("item").compactMap { TillAction.Item($0) }
      let order = arguments.text("order")
      guard items.isEmpty != (order == nil) else {
        throw UsageError(
          items.isEmpty
            ? "name what to buy: --item, or --order for another try at an order"
            : "--item makes a new order, --order tries one again: name one of them")
      }
      return .ask(
        .createCheckout(
          provider: arguments.required("provider"), items: items, order: order,
          key: arguments.text("key")), asJSON: arguments.has("json"))
    }
  ])

private let orderCommands = Command<TillAction>(
  group: "order", "Orders and all that happened to them", options: [jsonFlag],
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
      options: [reasonOption], positionals: [.positional("id", "The order's id", kind: uuid)]
    ) { arguments in
      .ask(
        .cancelOrder(arguments.required("id"), reason: arguments.required("reason")),
        asJSON: arguments.has("json"))
    },
  ])

private let paymentCommands = Command<TillAction>(
  group: "payment", "Payments: show, follow, capture, refund, close", options: [jsonFlag],
  commands: [
    Command(
      "show", "Shows a payment as its provider has it now",
      positionals: [.positional("id", "The payment's id, ours or the provider's", kind: uuid)]
    ) { .ask(.showPayment($0.required("id")), asJSON: $0.has("json")) },
    Command(
      "read", "Has a payment read at its provider, whatever its state",
      positionals: [.positional("id", "The payment's id", kind: uuid)]
    ) { .ask(.readPayment($0.required("id")), asJSON: $0.has("json")) },
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
      discussion: """
        Ends with 0 at captured, rejected, expired or cancelled. At authorized the money is held \
        and a capture is owed, so it goes on. On a terminal one line is redrawn; elsewhere each \
        change is a line, with --json a document. A read that fails in between is tried again.
        """,
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
    paymentExplainCommand,
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
    options: [reasonOption, keyOption]
      + (kind == .close ? [] : [amountOption]),
    positionals: [.positional("id", "The payment's id", kind: uuid)]
  ) { arguments in
    .ask(
      .operate(
        kind, payment: arguments.required("id"),
        amount: kind == .close ? nil : arguments.text("amount"),
        reason: arguments.required("reason"), key: arguments.text("key")),
      asJSON: arguments.has("json"))
  }
}

private let sandboxCommand = Command<TillAction>(
  "sandbox", "Serves fake providers on this machine: API, hosted page, webhooks",
  discussion: """
    Accepts the key sk_test_00000000-0000-4000-8000-000000000001, which opens nothing else, and \
    the one in TILL_TABBY_SECRET_KEY. Under /futa is a fake Futa for the key \
    futa_test_000000000000000000000001 and the one in TILL_FUTA_SECRET_KEY, under /rais a fake \
    Raïs for rais_sk_test_00000000-0000-4000-8000-000000000001 and the one in \
    TILL_RAIS_SECRET_KEY, under /tebex the store \
    t66x-0000000000000000000000000000000000000001 of a fake Tebex with the private key \
    tebex_sandbox_00000001 and the one in TILL_TEBEX_SECRET_KEY (project 100001), under /seb a \
    fake SEB for the client till-demo with the secret till-demo-secret-0001 and the one in \
    TILL_SEB_CLIENT_SECRET (participant till-participant, shop till-shop). Settings, clock and \
    what really happened are at /sandbox/settings (/sandbox/settings/futa, …/rais, …/tebex, \
    …/seb), /sandbox/clock and /sandbox/ledger.
    """,
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
