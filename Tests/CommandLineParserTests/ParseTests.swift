import CommandLineParser
import Testing

@Suite("Command lines that are understood")
struct ParseTests {
  static let shown = SampleAction.show(
    id: "pay_A1", waitSeconds: 30, json: true, server: "http://s")

  @Test(
    arguments: [
      "payment show pay_A1 --wait 30 --json --server http://s",
      "payment show --wait=30 --json --server=http://s pay_A1",
      "--server http://s payment --json show --wait 30 pay_A1",
      "payment show --json --wait 30 --server http://s -- pay_A1",
    ])
  func `options stand before or behind, also those of the groups above`(line: String) {
    #expect(action(line) == Self.shown)
  }

  @Test func `what is left out has its default`() {
    #expect(
      action("payment show pay_A1")
        == .show(id: "pay_A1", waitSeconds: 0, json: false, server: "http://127.0.0.1"))
    #expect(action("payment refund pay_A1") == .refund(id: "pay_A1", amount: "all"))
    #expect(action("version") == .version)
  }

  @Test func `repeated parameters keep their order`() {
    #expect(
      action("create a --tag x b --tag=y --mode test c --tag --mode")
        == nil, "--tag needs a value")
    #expect(
      action("create a --tag x b --tag=y --mode test c --tag=--mode")
        == .create(lines: ["a", "b", "c"], tags: ["x", "y", "--mode"], mode: "test"))
    #expect(action("create --mode live") == .create(lines: [], tags: [], mode: "live"))
  }

  @Test func `behind two dashes all are values`() {
    #expect(
      action("create --mode test -- --tag -x -- help")
        == .create(lines: ["--tag", "-x", "--", "help"], tags: [], mode: "test"))
  }

  @Test func `a dash alone is a value, and a value may be empty or hold an equals sign`() {
    #expect(action("payment refund - 1") == .refund(id: "-", amount: "1"))
    #expect(
      action("create --mode test --tag= --tag=a=b")
        == .create(lines: [], tags: ["", "a=b"], mode: "test"))
    #expect(
      action("payment show pay_A1 --server= ")
        == .show(id: "pay_A1", waitSeconds: 0, json: false, server: ""))
  }

  @Test(arguments: ["0", "60"])
  func `an integer reaches to the ends of its range`(seconds: String) {
    guard case .show(_, let wait, _, _) = action("payment show pay_A1 --wait \(seconds)") else {
      Issue.record("not understood")
      return
    }
    #expect("\(wait)" == seconds)
  }

  @Test func `asking for an undeclared name is a bug of the caller`() async {
    await #expect(processExitsWith: .failure) {
      _ = Command("x", "Does x") { $0.has("json") }.parse([])
    }
    await #expect(processExitsWith: .failure) {
      let options: [Parameter] = [.flag("json", "One"), .flag("json", "Two")]
      _ = Command("x", "Does x", options: options) { $0.has("json") }.parse([])
    }
  }
}
