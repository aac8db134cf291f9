/// Plays runs, some at a time.
enum SideBySide {
  /// Runs at a time. Most of a run is waiting: six fill two cores, and their three or four
  /// processes each still answer in good time.
  static let runsMax = 6

  /// Plays what `next` gives until it gives nothing more, and hands over each that `play` brought
  /// to an end, as it ends; a run is taken only when there is room for it.
  static func play<Run: Sendable, Ended: Sendable>(
    next: () -> Run?, play: @escaping @Sendable (Run) async -> Ended?, ended: (Ended) -> Void
  ) async {
    await withTaskGroup(of: Ended?.self) { group in
      func add() {
        if let run = next() { group.addTask { await play(run) } }
      }
      for _ in 0..<runsMax { add() }
      while let result = await group.next() {
        guard let result, !Task.isCancelled else { continue }
        ended(result)
        add()
      }
    }
  }
}
