import KitEnvironment
@testable import SystemRuntime
import TestSupport
import Testing

@Suite("Timer heap")
struct TimerHeapTests {
  @Test func `entries come out by time, equal times by id`() {
    var heap = TimerHeap<Int>()
    let random = seededRandom(7)
    var expected: [(Duration, UInt64)] = []
    for id in 0..<UInt64(500) {
      let due = Duration.milliseconds(Int(random.below(50)))
      heap.insert(.init(due: due, id: id, payload: Int(id)))
      expected.append((due, id))
    }
    expected.sort { $0 < $1 }
    for (due, id) in expected {
      #expect(heap.firstDue == due)
      #expect(heap.popDue(at: due) == Int(id))
    }
    #expect(heap.count == 0)
  }

  @Test func `nothing comes out before its time`() {
    var heap = TimerHeap<Int>()
    #expect(heap.popDue(at: .seconds(1)) == nil)
    heap.insert(.init(due: .seconds(5), id: 1, payload: 1))
    #expect(heap.popDue(at: .seconds(5) - .nanoseconds(1)) == nil)
    #expect(heap.popDue(at: .seconds(5)) == 1)
  }

  @Test func `a removed entry is gone and the rest keeps its order`() {
    let random = seededRandom(11)
    for _ in 0..<50 {
      var heap = TimerHeap<UInt64>()
      var left: [(Duration, UInt64)] = []
      for id in 0..<UInt64(40) {
        let due = Duration.milliseconds(Int(random.below(20)))
        heap.insert(.init(due: due, id: id, payload: id))
        left.append((due, id))
      }
      for id in 0..<UInt64(40) where random.below(2) == 0 {
        #expect(heap.remove(id) == id)
        #expect(heap.remove(id) == nil)
        left.removeAll { $0.1 == id }
      }
      left.sort { $0 < $1 }
      #expect(heap.count == left.count)
      var popped: [UInt64] = []
      while let id = heap.popDue(at: .seconds(1)) { popped.append(id) }
      #expect(popped == left.map(\.1))
    }
  }
}
