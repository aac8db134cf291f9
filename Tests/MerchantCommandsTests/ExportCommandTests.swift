import HTTPExchange
import PaymentModels
import SystemRuntime
import TestSupport
import Testing

@testable import MerchantCommands

@Suite("till export")
struct ExportCommandTests {
  private static let totals = """
    {"totals":[\
    {"provider":"tabby","account":"uae","currency":"AED","exponent":2,"captured":"340.00",\
    "refunded":"10.00","charged_back":"0.00","in_review":"85.00"},\
    {"provider":"seb","account":"=HYPERLINK(\\"http://x\\",\\"y\\")","currency":"EUR","exponent":2,\
    "captured":"1.00","refunded":"0.00","charged_back":"-5.00","in_review":"0.00"}]}
    """

  @Test func `a day is a table that a spreadsheet opens and runs nothing of`() async {
    let ran = await Till().run("export --day 2026-11-30", status: 200, Self.totals)
    #expect(ran.code == 0)
    #expect(
      ran.output
        == [
          "day,time_zone,provider,account,currency,captured,refunded,charged_back,in_review",
          "2026-11-30,UTC,tabby,uae,AED,340.00,10.00,0.00,85.00",
          #"2026-11-30,UTC,seb,"'=HYPERLINK(""http://x"",""y"")",EUR,1.00,0.00,-5.00,0.00"#,
        ].map { $0 + "\r\n" }.joined())
  }

  @Test(arguments: [
    ("UTC", "2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z"),
    ("+04:00", "2026-11-29T20:00:00Z", "2026-11-30T20:00:00Z"),
    ("-03:30", "2026-11-30T03:30:00Z", "2026-12-01T03:30:00Z"),
  ])
  func `the day is that of the zone`(_ zone: String, _ start: String, _ end: String) async {
    let ran = await Till().run(
      "export --day 2026-11-30 --zone \(zone)", status: 200, #"{"totals":[]}"#)
    #expect(ran.sent.first?.url == "http://shop.test/v1/totals?from=\(start)&to=\(end)")
  }

  @Test(arguments: ["--day 2026-02-30", "--day tomorrow", "--day 2026-11-30 --zone No/Where"])
  func `what is no day or no zone is wrong data`(_ options: String) async {
    let ran = await Till().run("export \(options)", status: 200, #"{"totals":[]}"#)
    #expect([64, 65].contains(ran.code))
    #expect(ran.sent.isEmpty)
  }

  /// Days with a change of the clock, by the files of this machine.
  @Test(arguments: [
    ("Asia/Dubai", "2026-11-30", "2026-11-29T20:00:00Z", "2026-11-30T20:00:00Z"),
    ("Europe/Stockholm", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
    ("Europe/Stockholm", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
    ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"),
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"),
    ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"),
  ])
  func `a day may have 23 or 25 hours, and begin after midnight`(
    _ name: String, _ day: String, _ start: String, _ end: String
  ) throws {
    let path = "/usr/share/zoneinfo/\(name)"
    guard Files.exists(path) else { return }
    let zone = try #require(DayZone(file: try Files.read(path, bytesMax: 1 << 20)))
    let span = try #require(zone.day(day))
    #expect(span.start.description == start)
    #expect(span.end.description == end)
  }

  @Test func `a file that is cut short or made up is no zone`() throws {
    #expect(DayZone(file: []) == nil)
    #expect(DayZone(file: Array(repeating: 0xFF, count: 200)) == nil)
    let path = "/usr/share/zoneinfo/Europe/Stockholm"
    guard Files.exists(path) else { return }
    let whole = try Files.read(path, bytesMax: 1 << 20)
    for length in stride(from: 0, to: whole.count / 2, by: 7) {
      #expect(DayZone(file: Array(whole.prefix(length))) == nil)
    }
  }
}
