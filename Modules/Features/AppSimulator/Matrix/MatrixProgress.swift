/// How far a matrix is: a bar that is drawn anew on a terminal, a line now and then elsewhere.
struct MatrixProgress: Sendable {
  /// Where there is no terminal, one line for each of so many parts.
  private static let parts = 5
  /// Width of the bar between its brackets.
  private static let width = 40

  let total: Int
  private(set) var done = 0
  private(set) var wrong = 0

  init(total: Int) { self.total = total }

  /// Takes a result in; gives a line if a reader without a terminal should have one.
  mutating func add(isRight: Bool) -> String? {
    let before = done * Self.parts / max(total, 1)
    done += 1
    if !isRight { wrong += 1 }
    let isDue = done * Self.parts / max(total, 1) > before && done < total
    return isDue ? "\(done) of \(total) runs, \(wrong) wrong" : nil
  }

  /// The bar.
  var bar: String {
    let filled = done * Self.width / max(total, 1)
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    return "[\(bar)] \(done) of \(total) runs, \(wrong) wrong"
  }
}
