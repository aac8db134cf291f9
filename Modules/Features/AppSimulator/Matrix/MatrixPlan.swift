public import CommandLineParser

/// What of the matrix is played: every row at every story that it can play, or a part of that.
public struct MatrixPlan: Sendable {
  /// One story at one row.
  struct Run: Sendable {
    let row: MatrixRow
    let story: MatrixStory

    /// As in `tabby/web_view/rotated`.
    var name: String { "\(row.name)/\(story.name)" }
  }

  /// A story that a row cannot play, and why.
  struct Exclusion: Sendable {
    let run: Run
    let reason: String
  }

  /// What is played, in order.
  let runs: [Run]
  /// What is not, and why.
  let exclusions: [Exclusion]

  /// Number of runs that stand for all in a quick check.
  public static let quickRuns = 40

  /// Everything.
  public static let whole: MatrixPlan = {
    var (runs, exclusions): ([Run], [Exclusion]) = ([], [])
    for row in MatrixRow.all {
      for story in MatrixStory.all {
        let run = Run(row: row, story: story)
        if let reason = story.exclusion(row) {
          exclusions.append(Exclusion(run: run, reason: reason))
        } else {
          runs.append(run)
        }
      }
    }
    return MatrixPlan(runs: runs, exclusions: exclusions)
  }()

  /// Whether there is nothing to play.
  public var isEmpty: Bool { runs.isEmpty }

  /// The run of this name, or else those whose name contains the text.
  public func filtered(by text: String) -> MatrixPlan {
    let exact = runs.filter { $0.name == text }
    guard exact.isEmpty else { return MatrixPlan(runs: exact, exclusions: []) }
    return MatrixPlan(
      runs: runs.filter { $0.name.contains(text) },
      exclusions: exclusions.filter { $0.run.name.contains(text) })
  }

  /// What to tell whoever named runs of which none is played.
  ///
  /// - Parameter isQuick: whether the name was looked for among the ``quickRuns``.
  public func refusal(of text: String, isQuick: Bool) -> UsageError {
    if let excluded = exclusions.first {
      return UsageError("\(excluded.run.name) is not applicable: \(excluded.reason)")
    }
    if isQuick {
      return UsageError(
        "none of the \(Self.quickRuns) runs of --pairwise contains “\(text)”",
        hint: "without --pairwise all runs are looked at")
    }
    let stories = MatrixStory.all.map(\.name).joined(separator: ", ")
    return UsageError(
      "no run contains “\(text)”",
      hint: "a run is PROVIDER/STRATEGY/STORY, such as tabby/web_view/rotated; stories: \(stories)")
  }

  /// ``quickRuns`` of the runs, always the same: each row and each story is among them, and as many
  /// pairs of story and provider and of story and strategy as fit, spread over the rows.
  public func quick() -> MatrixPlan {
    var rest = runs
    var chosen: [Run] = []
    while chosen.count < Self.quickRuns, !rest.isEmpty {
      let gains = rest.map { $0.gain(beside: chosen) }
      let best = gains.indices.reduce(0) { gains[$1] > gains[$0] ? $1 : $0 }
      chosen.append(rest.remove(at: best))
    }
    return MatrixPlan(runs: chosen, exclusions: [])
  }
}

extension MatrixPlan.Run {
  /// What the run adds to a choice: a row or a story that is new counts before pairs that are new,
  /// and those before a row that was taken less often.
  fileprivate func gain(beside chosen: [MatrixPlan.Run]) -> Int {
    let ownRow = chosen.filter { $0.row.name == row.name }
    let ownStory = chosen.filter { $0.story.name == story.name }
    let newOnes = [ownRow.isEmpty, ownStory.isEmpty].count { $0 }
    let newPairs = [
      ownStory.contains { $0.row.provider == row.provider },
      ownStory.contains { $0.row.strategy == row.strategy },
    ].count { !$0 }
    return 10_000 * newOnes + 100 * newPairs - ownRow.count
  }
}
