import StrictJSON
import Testing

@testable import AppSimulator

@Suite("How a sweep judges")
struct SweepBooksTests {
  private static func books(_ change: (inout SweepBooks) -> Void) -> SweepBooks {
    var books = SweepBooks.right
    change(&books)
    return books
  }

  @Test func `right books have no fault`() {
    #expect(SweepBooks.right.faults.isEmpty)
  }

  @Test(arguments: [
    (books { $0.captured = 0 }, "captured at the provider: 0, must be 34000"),
    (books { $0.refunded = 20_00 }, "refunded at the provider: 2000, must be 7000"),
    (books { $0.bookCaptured = 0 }, "captured in the book: 0, must be 34000"),
    (books { $0.bookRefunded = 50_00 }, "refunded in the book: 5000, must be 7000"),
    (books { $0.fulfilments = 0 }, "fulfilments: 0, must be 1"),
    (books { $0.refundMessages = 1 }, "messages of a refund: 1, must be 2"),
  ])
  func `less than there must be is lost`(books: SweepBooks, text: String) {
    #expect(books.faults == [.lost(text)])
  }

  @Test(arguments: [
    (books { $0.captured = 680_00 }, "captured at the provider: 68000, must be 34000"),
    (books { $0.refunded = 120_00 }, "refunded at the provider: 12000, must be 7000"),
    (books { $0.fulfilments = 2 }, "fulfilments: 2, must be 1"),
    (books { $0.revocations = 1 }, "revocations: 1, must be 0"),
  ])
  func `more than there must be is doubled`(books: SweepBooks, text: String) {
    #expect(books.faults == [.doubled(text)])
  }

  @Test func `an order in another state is wrong`() {
    #expect(
      Self.books { $0.state = "needs_review" }.faults
        == [.wrong("order: needs_review, must be paid")])
  }

  @Test func `a sum that is missing is no sum of nothing`() throws {
    #expect(try SweepBooks.minorUnits(.string("340.00")) == 340_00)
    #expect(throws: (any Error).self) { try SweepBooks.minorUnits(nil) }
    #expect(throws: (any Error).self) { try SweepBooks.minorUnits(.string("much")) }
  }
}

@Suite("What a sweep counts")
struct SweepTallyTests {
  private func result(
    _ program: KillPoint.Program, _ call: KillPoint.Call, _ phase: SweepPhase?,
    _ faults: [SweepFault] = []
  ) -> SweepResult {
    SweepResult(
      point: KillPoint(program: program, phase: .create, call: call, number: 1), killedIn: phase,
      faults: faults,
      timeline: [], printed: [])
  }

  @Test func `only runs with a kill are kill points`() {
    var tally = SweepTally()
    tally.add(result(.server, .sendto, .capture))
    tally.add(result(.server, .sendto, nil))
    #expect(tally.closing == "1 kill points, 0 lost, 0 doubled")
    #expect(tally.runs == 2)
    #expect(tally.failed == 0)
  }

  @Test func `a run counts once, as the worst that it found`() {
    var tally = SweepTally()
    tally.add(result(.server, .sendto, .capture, [.wrong("a"), .doubled("b"), .lost("c")]))
    tally.add(result(.server, .sendto, .capture, [.wrong("a"), .doubled("b")]))
    tally.add(result(.device, .sendto, .create, [.wrong("a")]))
    #expect(tally.closing == "3 kill points, 1 lost, 1 doubled, 1 wrong otherwise")
    #expect(tally.failed == 3)
  }

  @Test func `the table has a line a phase and fits 100 columns`() {
    var tally = SweepTally()
    tally.add(result(.server, .fdatasync, .webhook))
    tally.add(result(.device, .recvfrom, .webhook))
    #expect(tally.table.count == 2 + SweepPhase.allCases.count)
    #expect(tally.table.allSatisfy { $0.count <= 100 })
    let row = tally.table.first { $0.hasPrefix("webhook") }
    #expect(
      row?.split(separator: " ").map(String.init) == ["webhook", "1", "0", "0", "0", "0", "1", "2"])
    #expect(tally.missed == SweepPhase.allCases.filter { $0 != .webhook })
  }
}
