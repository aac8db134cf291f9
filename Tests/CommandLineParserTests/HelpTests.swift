import CommandLineParser
import Testing

@Suite("Help texts")
struct HelpTests {
  @Test func `lines of a discussion that begin with a space stay as they are`() {
    let command = Command<Int>(
      "run", "Runs",
      discussion: "Codes, told in a sentence that is long enough to be wrapped at "
        + "the width:\n  0   done\n  64  wrong    usage"
    ) { _ in 1 }
    guard case .help(let text) = command.parse(["--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(text.contains("wrapped at the width:\n  0   done\n  64  wrong    usage\n"))
  }

  @Test func `the help of a command shows how it is used`() {
    #expect(
      help("payment show --help") == """
        Shows one payment.

        Usage:
          till payment show ID [--wait SECONDS] [--json] [--server URL]

        Asks the provider first if the answer could be stale.

        Arguments:
          ID  Id of the payment

        Options:
          --wait SECONDS  How long to wait for an end (0 to 60; default 0)
          --json          Print JSON
          --server URL    Where the server listens (default http://127.0.0.1)
          --help          Show this text

        Examples:
          till payment show pay_A1 --wait 30
              Waits until the payer is done.

        """)
  }

  @Test func `the help of a group lists its commands`() {
    #expect(
      help("--help") == """
        Asks a merchant server about payments.

        Usage:
          till COMMAND [--server URL]

        Options:
          --server URL  Where the server listens (default http://127.0.0.1)
          --help        Show this text

        Commands:
          payment  Looks at payments and changes them
          create   Creates a checkout
          version  Shows the version

        """)
  }

  @Test(
    arguments: [
      "payment show --help", "payment show -h", "payment show x y --help", "--help payment show",
      "help payment show", "payment help show", "payment show --wait 99 --help",
    ])
  func `help can be asked for anywhere`(line: String) {
    #expect(help(line)?.hasPrefix("Shows one payment.") == true)
  }

  @Test func `behind two dashes the word help is a value`() {
    #expect(help("create --mode test -- --help") == nil)
    #expect(action("payment refund help") == .refund(id: "help", amount: "all"))
  }

  @Test func `long texts are broken at 80 columns and stay aligned`() {
    let long = String(repeating: "word ", count: 40) + "end"
    let command = Command(
      "x", long, discussion: "\(long)\n\n\(long)",
      options: [
        .option("a-very-long-option-name", "PLACEHOLDER", long), .option("b", "B", long),
      ]
    ) { _ in 0 }
    guard case .help(let text) = command.parse(["--help"]) else {
      Issue.record("no help")
      return
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.hasSuffix(" ") })
    #expect(lines.contains("  --a-very-long-option-name PLACEHOLDER"))
    #expect(lines.contains { $0.hasPrefix("  --b B   word") })
    #expect(text.contains("end\n\nword"))
  }
}
