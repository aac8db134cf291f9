import MerchantCommands
import StrictJSON
import Testing

@Suite("The report of till doctor")
struct DoctorReportTests {
  private let checks = [
    DoctorCheck("settings", .ok, "1 accounts"),
    DoctorCheck("log of the store", .warn, "99 bytes", advice: "restart"),
    DoctorCheck("clock", .skipped, "no provider told its time"),
    DoctorCheck("server", .fail, "no\u{1B}[31m answer", advice: "start it"),
  ]

  @Test func `each check is an aligned line, with what to do below it`() {
    #expect(
      DoctorReport(checks).text(usesColor: false) == """
        ok    settings          1 accounts
        warn  log of the store  99 bytes
                                → restart
        -     clock             no provider told its time
        FAIL  server            no\\u{1b}[31m answer
                                → start it

        """)
  }

  @Test func `colour stands only where it is wanted`() {
    #expect(DoctorReport(checks).text(usesColor: true).contains("\u{1B}[33mwarn\u{1B}[0m"))
  }

  @Test(arguments: [
    (DoctorCheck.Standing.ok, Int32(0)), (.skipped, 0), (.warn, 0), (.fail, 1),
  ])
  func `a fault alone makes the exit code 1`(_ standing: DoctorCheck.Standing, _ code: Int32) {
    let report = DoctorReport([DoctorCheck("a", .ok, "b"), DoctorCheck("c", standing, "d")])
    #expect(report.exitCode == code)
    #expect(report.json["ok"]?.boolean == (code == 0))
    #expect(report.json["checks"]?.elements?.last?["standing"]?.text == standing.rawValue)
  }
}
