import Testing

@testable import AppSimulator

@Suite("The plan of bad disks")
struct DiskPlanTests {
  @Test func `each kind in each scene is tried later and later until nothing comes of it`() {
    var plan = DiskPlan(every: 1)
    var names: [String] = []
    while let fault = plan.take() {
      names.append(fault.name)
      plan.note(fault, isHit: fault.number <= 2 * fault.kind.step)
    }
    for kind in DiskFault.Kind.allCases {
      for scene in DiskScene.allCases {
        let wanted = (0...3).map { "\(kind.rawValue)/\(scene.rawValue)/\(1 + $0 * kind.step)" }
        #expect(names.filter { $0.hasPrefix("\(kind.rawValue)/\(scene.rawValue)/") } == wanted)
      }
    }
  }

  @Test(arguments: [
    ("full/capture/12", ["full/capture/12"]), ("failing/device/1", ["failing/device/1"]),
    ("full/nowhere", []), ("nothing/capture/1", []), ("full/capture/0", []),
  ])
  func `one run is found by its name`(filter: String, wanted: [String]) {
    var plan = DiskPlan(every: 1, filter: filter)
    var names: [String] = []
    while let fault = plan.take() { names.append(fault.name) }
    #expect(names == wanted)
    #expect(plan.isEmpty == wanted.isEmpty)
    #expect(!plan.isWhole)
  }

  @Test(arguments: [
    (DiskFault.Kind.full, "pwrite64", "ENOSPC"), (.readOnly, "pwrite64", "EROFS"),
    (.failing, "fdatasync", "EIO"),
  ])
  func `every call from the number on fails`(kind: DiskFault.Kind, call: String, error: String) {
    let fault = DiskFault(kind: kind, scene: .create, number: 7)
    #expect(
      fault.traceArguments(output: "o") == [
        "-f", "-o", "o", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error):when=7+",
      ])
  }

  @Test func `a server is restarted after every second bad disk of a series`() {
    for kind in DiskFault.Kind.allCases {
      let restarts = (0..<4).map {
        DiskFault(kind: kind, scene: .create, number: 1 + $0 * kind.step).isRestarted
      }
      #expect(restarts == [true, false, true, false])
    }
  }

  @Test func `a scene without a bad disk of a kind is missed, and the worst of a run counts`() {
    var tally = DiskTally()
    for (index, scene) in DiskScene.allCases.dropLast().enumerated() {
      let faults: [[SweepFault]] = [
        [.wrong("w"), .lost("l"), .doubled("d")], [.wrong("w"), .doubled("d")], [.wrong("w")], [],
      ]
      tally.add(
        DiskResult(
          fault: DiskFault(kind: .full, scene: scene, number: 1), isHit: true,
          faults: faults[min(index, 3)], timeline: [], printed: []))
    }
    #expect(tally.failed == 3)
    #expect(tally.closing == "8 bad disks, 1 lost, 1 doubled, 1 wrong otherwise")
    for scene in DiskScene.allCases where scene != .create {
      for kind in [DiskFault.Kind.readOnly, .failing] {
        tally.add(
          DiskResult(
            fault: DiskFault(kind: kind, scene: scene, number: 1), isHit: true, faults: [],
            timeline: [], printed: []))
      }
    }
    // Nothing fails a disk that an old store waits for, so that one is never missed.
    #expect(tally.missed == ["read-only create", "failing create", "full device"])
  }
}
