extension MatrixStory {
  /// All stories, in the order in which the matrix plays them.
  static let all: [MatrixStory] = atReturns + atKills + atServers + atPages + byPayers
}
