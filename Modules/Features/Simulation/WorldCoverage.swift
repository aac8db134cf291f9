/// What a world, or a campaign of worlds, has reached.
// Of a world: written by jobs of its one thread, and handed on when they have ended.
final class WorldCoverage: @unchecked Sendable {
  private(set) var table = CoverageTable()

  func reach(_ section: CoverageTable.Section, _ what: String) { table.reach(section, what) }

  func reach(_ recovery: Recovery) { table.reach(recovery) }

  func add(_ other: CoverageTable) { table.add(other) }
}

/// How often what was reached, by section.
public struct CoverageTable: Sendable, Hashable {
  /// What kind of thing is counted.
  public enum Section: String, Sendable, Hashable, CaseIterable {
    /// What went wrong.
    case fault
    /// Points between two steps of the server.
    case checkpoint
    /// Steps of payments from state to state.
    case edge
    /// Cases that were opened for a person.
    case review
    /// What payers were shown.
    case screen
    /// What the shop was told.
    case message
    /// What operators gave a command for, and were obeyed.
    case errand
    /// Ways back to where it should be.
    case recovery
  }

  private var counts: [Section: [String: Int]] = [:]

  /// Nothing reached yet.
  public init() {}

  mutating func reach(_ section: Section, _ what: String, _ times: Int = 1) {
    counts[section, default: [:]][what, default: 0] += times
  }

  /// Adds what another one has reached.
  public mutating func add(_ other: CoverageTable) {
    for (section, rows) in other.counts {
      for (what, times) in rows { reach(section, what, times) }
    }
  }

  /// What of a section was reached, by its words.
  public func reached(_ section: Section) -> [(what: String, times: Int)] {
    (counts[section] ?? [:]).map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// What of a section is known and was not reached.
  public func missing(_ section: Section) -> [String] {
    let rows = counts[section] ?? [:]
    return Self.known(section).filter { rows[$0] == nil }
  }
}
