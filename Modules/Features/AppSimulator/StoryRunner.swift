/// Plays stories one after another on one stage and tells a reader how each went and ended.
public struct StoryRunner: Sendable {
  private let stage: Stage
  private let tell: @Sendable (String) -> Void

  /// Plays on a stage and tells a reader, line by line.
  public init(stage: Stage, tell: @escaping @Sendable (String) -> Void) {
    self.stage = stage
    self.tell = tell
  }

  /// Names of all stories.
  public static var names: [String] { Story.all.map(\.name) }

  /// Plays the stories of these names, all if there are none; gives how many ended wrong.
  public func run(_ names: [String] = []) async -> Int {
    await run(Story.all.filter { names.isEmpty || names.contains($0.name) })
  }

  func run(_ stories: [Story]) async -> Int {
    var wrong: [String] = []
    tell("Who knew what, when, in seconds. A hint or a notification makes the server ask; only")
    tell("proof changes money state.\n")
    for story in stories {
      guard !Task.isCancelled else { break }
      if await !play(story) { wrong.append(story.name) }
    }
    guard !Task.isCancelled else { return wrong.count }
    if !wrong.isEmpty { tell("wrong: \(wrong.joined(separator: ", "))") }
    tell("\(stories.count) stories, \(wrong.count) wrong")
    return wrong.count
  }

  private func play(_ story: Story) async -> Bool {
    tell(story.title)
    guard let played = await StoryPlay.play(story, on: stage) else { return true }
    for line in played.timeline.lines() { tell(line) }
    for problem in played.problems { tell("  WRONG  \(problem)") }
    tell(played.problems.isEmpty ? "  right\n" : "")
    return played.problems.isEmpty
  }
}
