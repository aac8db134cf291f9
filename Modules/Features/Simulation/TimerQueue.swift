/// Timers in the order of their due time, those of one time in the order of their making.
struct TimerQueue {
  /// One timer. A reference, so that whoever set it can take it back.
  final class Entry {
    let due: Duration
    fileprivate let order: UInt64
    private let owner: SeededExecutor?
    private var action: (() -> Void)?

    fileprivate init(
      due: Duration, order: UInt64, owner: SeededExecutor?, action: @escaping () -> Void
    ) {
      self.due = due
      self.order = order
      self.owner = owner
      self.action = action
    }

    func cancel() { action = nil }

    func fire() {
      let action = action
      self.action = nil
      if owner?.isAlive ?? true { action?() }
    }

    fileprivate func isBefore(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }
  }

  private var heap: [Entry] = []
  private var nextOrder: UInt64 = 0

  mutating func add(
    at due: Duration, owner: SeededExecutor?, _ action: @escaping () -> Void
  ) -> Entry {
    nextOrder += 1
    let entry = Entry(due: due, order: nextOrder, owner: owner, action: action)
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
    return entry
  }

  mutating func popFirst() -> Entry? {
    guard !heap.isEmpty else { return nil }
    heap.swapAt(0, heap.count - 1)
    let first = heap.removeLast()
    var parent = 0
    while 2 * parent + 1 < heap.count {
      var child = 2 * parent + 1
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(heap[parent]) else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return first
  }
}
