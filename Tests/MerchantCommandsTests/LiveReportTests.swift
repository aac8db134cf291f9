import CommandLineParser
import MerchantCommands
import StrictJSON
import Testing

@Suite("The checklist of till doctor --live")
struct LiveReportTests {
  private let checks = [
    LiveCheck("server", "mode", .yes, "live"),
    LiveCheck("server", "address", .cannotTell, "nobody said", advice: "--public-url"),
    LiveCheck("tabby main", "key", .no, "401\u{1B}[31m", advice: "compare"),
    LiveCheck("tabby main", "camera", .youSay, "The app may."),
  ]

  @Test func `lines are aligned below their subject, and counted`() {
    #expect(
      LiveReport(checks).text(usesColor: false) == """
        server
          yes          mode     live
          cannot tell  address  nobody said
                                → --public-url

        tabby main
          no           key      401\\u{1b}[31m
                                → compare
          you say      camera   The app may.

        1 yes, 1 no, 1 that cannot be told yet, 1 that you alone can say.

        """)
    #expect(LiveReport(checks).text(usesColor: true).contains("\u{1B}[31mno         \u{1B}[0m"))
  }

  @Test(arguments: [
    (LiveCheck.Answer.yes, Int32(0)), (.youSay, 0), (.cannotTell, 75), (.no, 1),
  ])
  func `the exit code tells what is left`(_ answer: LiveCheck.Answer, _ code: Int32) {
    let report = LiveReport([LiveCheck("s", "a", .yes, "b"), LiveCheck("s", "c", answer, "d")])
    #expect(report.exitCode == code)
    #expect(report.json["ok"]?.boolean == (code == 0))
    #expect(report.json["checks"]?.elements?.last?["answer"]?.text == answer.rawValue)
    let all = LiveReport(checks)
    #expect(all.exitCode == 1, "what is wrong comes before what is not known")
  }

  @Test(arguments: [
    (["--live"], TillAction.goLive(settings: "f", publicURL: nil, asJSON: false)),
    (
      ["--live", "--json", "--public-url", "https://pay.example/x"],
      .goLive(settings: "f", publicURL: "https://pay.example/x", asJSON: true)
    ),
    (["--offline"], .doctor(settings: "f", asksProviders: false, asJSON: false)),
  ])
  func `the doctor goes through it where asked`(_ words: [String], _ action: TillAction) {
    guard case .run(let found) = tillCommand.parse(["doctor", "--config", "f"] + words) else {
      Issue.record("\(words) was refused")
      return
    }
    #expect(found == action)
  }

  @Test(arguments: [
    ["--live", "--offline"], ["--public-url", "https://a.example"],
    ["--live", "--public-url", "ftp://a"], ["--live", "--public-url", "https://a.example/"],
    ["--live", "--public-url", "https://u@a.example"],
  ])
  func `what makes no sense is refused`(_ words: [String]) {
    guard case .refused = tillCommand.parse(["doctor", "--config", "f"] + words) else {
      Issue.record("\(words) was taken")
      return
    }
  }
}
