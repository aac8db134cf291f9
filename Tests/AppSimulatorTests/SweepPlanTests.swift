import Testing

@testable import AppSimulator

@Suite("The plan of the sweep")
struct SweepPlanTests {
  /// The numbers of a series whose threads make `calls` calls, as they are taken one by one.
  private func numbers(step: Int, calls: Int) -> [Int] {
    var series = SweepSeries(.server, .capture, .sendto, step: step)
    var numbers: [Int] = []
    while let point = series.take() {
      numbers.append(point.number)
      series.note(point.number, isHit: point.number <= calls)
    }
    return numbers
  }

  @Test(arguments: [
    (1, 3, [1, 2, 3, 4, 5]), (3, 8, [1, 4, 7, 10, 13]), (1, 0, [1, 2]), (5, 1, [1, 6, 11]),
  ])
  func `a series ends after two runs in a row without a kill`(
    step: Int, calls: Int, wanted: [Int]
  ) {
    #expect(numbers(step: step, calls: calls) == wanted)
  }

  @Test func `one run without a kill between others ends nothing`() {
    var series = SweepSeries(.server, .capture, .fdatasync, step: 1)
    for isHit in [true, false, true, false] {
      if let point = series.take() { series.note(point.number, isHit: isHit) }
    }
    #expect(series.take()?.number == 5)
    series.note(5, isHit: false)
    #expect(series.take() == nil)
  }

  @Test func `runs that end out of order end a series as well`() {
    var series = SweepSeries(.device, .webhook, .recvfrom, step: 1)
    for _ in 1...4 { #expect(series.take() != nil) }
    series.note(4, isHit: false)
    series.note(2, isHit: false)
    series.note(1, isHit: true)
    #expect(series.take()?.number == 5)
    series.note(3, isHit: false)
    #expect(series.take() == nil)
  }

  @Test func `a series has a last number`() {
    #expect(numbers(step: 1, calls: .max).count == SweepNumbers.numberMax)
  }

  @Test func `all series are taken in turn`() {
    var plan = SweepPlan(every: 2)
    let names = (1...28).compactMap { _ in plan.take()?.name }
    #expect(names.first == "server/start/fdatasync/1")
    #expect(names[26...] == ["device/webhook/recvfrom/1", "server/start/fdatasync/3"])
    #expect(Set(names).count == 28)
    #expect(plan.isWhole)
  }

  @Test(arguments: [
    ("device/create", ["device/create/fdatasync/1", "device/create/sendto/1"]),
    ("server/outbox/sendto", ["server/outbox/sendto/1", "server/outbox/sendto/2"]),
  ])
  func `a filter takes the series that contain it`(text: String, wanted: [String]) {
    var plan = SweepPlan(every: 1, filter: text)
    #expect(wanted.compactMap { _ in plan.take()?.name } == wanted)
    #expect(!plan.isWhole)
  }

  @Test func `the name of a run takes it alone`() {
    var plan = SweepPlan(every: 3, filter: "server/capture/sendto/17")
    #expect(plan.take()?.name == "server/capture/sendto/17")
    #expect(plan.take() == nil)
    for name in ["server/capture/write/1", "server/capture/sendto/0", "device/capture/sendto/1"] {
      #expect(SweepPlan(every: 1, filter: name).isEmpty)
    }
  }

  @Test func `only the first phase of a program is traced from its launch`() {
    var plan = SweepPlan(every: 1)
    let points = (1...27).compactMap { _ in plan.take() }
    let launched = Set(points.filter(\.isFromLaunch).map { "\($0.program) \($0.phase)" })
    #expect(launched == ["server start", "device create"])
  }

  @Test func `what kills is strace, and counts the call alone`() {
    let point = KillPoint(program: .server, phase: .capture, call: .fdatasync, number: 12)
    #expect(
      point.traceArguments(output: "out") == [
        "-f", "-o", "out", "-e", "trace=fdatasync", "-e",
        "inject=fdatasync:signal=KILL:when=12",
      ])
  }
}
