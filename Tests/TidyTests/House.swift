/// All rules of the house.
enum House {
  /// Whether every module is written. Until then a module may be one placeholder file.
  static let isFilled = false

  static let rules: [Rule] = [
    .bannedWords, .complete, .decisions, .documented, .emptyCatch, .exactImports, .fileLength,
    .forceUnwrap, .functionLength, .layering, .leftovers, .lineLength, .makefile, .markdown,
    .oneImporter, .orderedSelect, .placeholders, .readme, .secrets, .seededFaults, .shellScripts,
    .shims,
    .toldCommands, .unsafeSentence, .workplaces,
  ]
}
