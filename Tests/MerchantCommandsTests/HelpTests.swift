import CommandLineParser
import MerchantCommands
import Testing

@Suite("Help of till")
struct HelpTests {
  @Test func `till --help teaches variables, exit codes and commands`() {
    #expect(
      help("--help") == """
        Talks to a merchant server, and runs provider sandboxes.

        Usage:
          till COMMAND

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

        Options:
          --help  Show this text

        Commands:
          init         Writes the settings of a new shop, with comments, and checks them
          checkout     Opens checkouts
          order        Orders and all that happened to them
          payment      Payments: show, follow, capture, refund, close
          review       Cases that a person should decide
          explain      Tells what happened to a payment, in sentences
          reconcile    Compares the providers' books with ours
          export       Prints the money that moved on a day, as CSV
          webhook      Received webhooks: list, show, put back, replay
          endpoint     Where a provider sends its webhooks: list, register, remove
          outbox       Messages to the shop's own systems: list, show, send again
          provider     Takes no new checkouts at a provider for a while
          buyer        What is kept of buyers
          doctor       Looks at settings, store, server and providers, and says what to
                       do
          backup       Copies the server's store while it runs
          restore      Puts a copy in the place of a stopped server's store
          providers    Shows what each provider can do and what its answers prove
          open         Prints where a page for people is, and opens it in a browser
          conformance  Plays the providers' checklists against a merchant backend in any
                       language
          receive      Takes fulfilment messages as a shop would, each once
          sandbox      Serves fake providers on this machine: API, hosted page, webhooks
          run          Runs a sandbox and a merchant server until Ctrl-C
          completions  Prints what lets a shell complete commands and options

        Examples:
          till run
              a sandbox and a server, with data that is gone afterwards
          till checkout create --item tee:2
              buys two of one product
          till payment watch ID
              follows the payment until it has come to its end

        """)
  }

  @Test func `what may be decided about a case is told in columns`() throws {
    let text = try #require(help("review resolve --help"))
    #expect(text.contains("\n  accept   the money pays the order: "))
    #expect(text.contains("\n  dismiss  the case was looked at; "))
  }

  @Test func `the help of a command says all that it takes`() {
    #expect(
      help("payment refund --help") == """
        Gives captured money back.

        Usage:
          till payment refund ID --reason TEXT [--key KEY] [--amount AMOUNT] [--json]

        Without --amount: all that is left, after the provider was read.

        Arguments:
          ID  The payment's id

        Options:
          --reason TEXT    Why; goes to the journal with the name of the key
          --key KEY        Idempotency key: the same key never does it twice; made anew
                           if not given
          --amount AMOUNT  How much, decimal
          --json           Print the server's answer as it is, in JSON
          --help           Show this text

        """)
  }

  @Test(
    arguments: [
      "", "init", "checkout", "checkout create", "order", "order show", "order explain",
      "order cancel",
      "payment", "payment show", "payment read", "payment list", "payment watch", "payment capture",
      "payment refund", "payment close", "review", "review list", "review show",
      "review resolve", "webhook", "webhook list", "webhook show",
      "webhook requeue", "webhook replay", "outbox", "outbox list", "outbox show",
      "outbox redeliver", "provider", "provider list", "provider pause", "provider resume",
      "buyer", "buyer erase", "receive", "endpoint", "endpoint list", "endpoint register",
      "endpoint remove", "providers", "sandbox", "run",
    ])
  func `every command has a help that fits a terminal`(command: String) {
    let text = help(command + " --help") ?? ""
    #expect(text.contains("Usage:\n  till"))
    // Usage lines of commands with many options and URLs are longer and wrap by themselves.
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}

private func help(_ line: String) -> String? {
  let words = line.split(separator: " ").map(String.init)
  return if case .help(let text) = tillCommand.parse(words) { text } else { nil }
}
