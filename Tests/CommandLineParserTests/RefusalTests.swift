import CommandLineParser
import Testing

@Suite("Command lines that are refused")
struct RefusalTests {
  @Test(
    arguments: [
      ("", "till needs a command", "till --help lists the commands"),
      ("payment", "till payment needs a command", "till payment --help lists the commands"),
      ("paymnet show x", "till has no command 'paymnet'", "did you mean payment?"),
      ("pay show x", "till has no command 'pay'", "did you mean payment?"),
      ("payment shwo x", "till payment has no command 'shwo'", "did you mean show?"),
      ("sell", "till has no command 'sell'", "till --help lists the commands"),
      ("payment show", "missing ID", nil),
      ("create", "missing --mode MODE", nil),
      (
        "payment show pay_A1 pay_B1", "unexpected argument 'pay_B1'",
        "put a value with spaces in quotes"
      ),
      ("payment show pay_A1 --jsno", "unknown option '--jsno'", "did you mean --json?"),
      ("payment show pay_A1 --wiat=1", "unknown option '--wiat'", "did you mean --wait?"),
      (
        "payment show pay_A1 --colour", "unknown option '--colour'",
        "till payment show --help lists the options"
      ),
      ("--wait 3 payment show pay_A1", "unknown option '--wait'", "till --help lists the options"),
      (
        "payment show pay_A1 -j", "unknown option '-j'",
        "options have long names; write -- before a value that begins with -"
      ),
      ("payment show pay_A1 --wait", "--wait needs a value", "write --wait=SECONDS"),
      ("payment show --wait --json pay_A1", "--wait needs a value", "write --wait=SECONDS"),
      ("payment show pay_A1 --json=yes", "--json takes no value", nil),
      ("payment show pay_A1 --json --json", "--json is given twice", nil),
      ("payment show pay_A1 --wait 1 --wait 2", "--wait is given twice", nil),
      ("payment show pay_A1 --wait 61", "--wait: '61' is not a whole number from 0 to 60", nil),
      ("payment show pay_A1 --wait -1", "--wait: '-1' is not a whole number from 0 to 60", nil),
      ("payment show pay_A1 --wait 1.5", "--wait: '1.5' is not a whole number from 0 to 60", nil),
      ("payment show pay_A1 --wait=", "--wait: '' is not a whole number from 0 to 60", nil),
      ("payment show A1", "ID: 'A1' is not a payment id", nil),
      ("create --mode tset", "--mode: 'tset' is none of test, live", "did you mean test?"),
      ("payment refund pay_A1 -- -1.00", "AMOUNT is negative", nil),
    ] as [(String, String, String?)])
  func `the error says what is wrong and what to write`(
    line: String, message: String, hint: String?
  ) {
    let error = refusal(line)
    #expect(error?.message == message)
    #expect(error?.hint == hint)
  }

  @Test func `an error ends with the usage of the command that was meant`() {
    #expect(
      refusal("payment show")?.description
        == "error: missing ID\n"
        + "usage: till payment show ID [--wait SECONDS] [--json] [--server URL]")
    #expect(
      refusal("paymnt")?.description
        == "error: till has no command 'paymnt'\nhint: did you mean payment?\n"
        + "usage: till COMMAND [--server URL]")
    #expect(
      refusal("create x")?.usage == "till create [LINE]… [--tag WORD]… --mode MODE [--server URL]")
  }

  @Test func `control characters of a value do not reach the terminal`() {
    #expect(refusal("payment show \u{1B}[31m")?.message == "ID: '\\u{1B}[31m' is not a payment id")
    #expect(refusal("payment show \u{9B}1m")?.message == "ID: '\\u{009B}1m' is not a payment id")
  }

  @Test func `the exit code is the one for wrong usage`() {
    #expect(UsageError.exitCode == 64)
  }
}
