/// Waiting entries, the earliest first; equal times in the order of their ids.
///
/// A binary heap that also knows where each entry stands, so that a cancelled one leaves at once
/// and not when its time would have come.
struct TimerHeap<Payload> {
  struct Entry {
    let due: Duration
    let id: UInt64
    let payload: Payload
  }

  private var entries: [Entry] = []
  private var positions: [UInt64: Int] = [:]

  var count: Int { entries.count }
  var firstDue: Duration? { entries.first?.due }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    positions[entry.id] = entries.count - 1
    moveUp(from: entries.count - 1)
  }

  /// Takes the entry of the id out, nil if there is none (any more).
  mutating func remove(_ id: UInt64) -> Payload? {
    guard let position = positions[id] else { return nil }
    return take(position).payload
  }

  /// Takes the first entry out if its time has come.
  mutating func popDue(at now: Duration) -> Payload? {
    guard let first = entries.first, first.due <= now else { return nil }
    return take(0).payload
  }

  private mutating func take(_ position: Int) -> Entry {
    let last = entries.count - 1
    swapEntries(position, last)
    let entry = entries.removeLast()
    positions[entry.id] = nil
    if position < last {
      moveUp(from: position)
      moveDown(from: position)
    }
    return entry
  }

  private mutating func moveUp(from start: Int) {
    var child = start
    while child > 0, comesBefore(child, (child - 1) / 2) {
      swapEntries(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func moveDown(from start: Int) {
    var parent = start
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < entries.count && comesBefore(child, first) {
        first = child
      }
      if first == parent { return }
      swapEntries(parent, first)
      parent = first
    }
  }

  private func comesBefore(_ left: Int, _ right: Int) -> Bool {
    (entries[left].due, entries[left].id) < (entries[right].due, entries[right].id)
  }

  private mutating func swapEntries(_ left: Int, _ right: Int) {
    entries.swapAt(left, right)
    positions[entries[left].id] = left
    positions[entries[right].id] = right
  }
}
