/// Words that may not stand in some part of the tree, and what to write instead.
struct Ban: Sendable {
  var words: [String]
  var places: Set<Place>
  var instead: String
  /// Tokens that make it another thing when they stand before: `.print(` is somebody's method.
  var unlessAfter: Set<String> = []
  /// Files or folders where it may stand, each with the reason.
  var allowed: [String: String] = [:]
}

extension Ban {
  static let all: [Ban] = time + concurrency + values + memory + tests

  private static let time = [
    Ban(
      words: ["Date()", "Date.now", "ContinuousClock", "SuspendingClock", "clock_gettime"],
      places: Place.seeded, instead: "take the time from KitEnvironment.clock"),
    Ban(
      words: ["Task.sleep"], places: Place.modules,
      instead: "wait through KitEnvironment.clock: a cancelled Task.sleep keeps its memory"),
    Ban(
      words: ["UUID()"], places: Place.seeded, instead: "take ids from KitEnvironment"),
    Ban(
      words: [".random(", ".randomElement()", ".shuffled()", "SystemRandomNumberGenerator"],
      places: Place.seeded, instead: "draw from KitEnvironment's seeded random source"),
    Ban(
      words: ["getenv", "setenv", "ProcessInfo"],
      places: [.core, .providers, .features, .simulation],
      instead: "Bootstrap reads the configuration once and hands it in"),
  ]

  private static let concurrency = [
    Ban(
      words: ["Task {", "Task(", ".detached", "Task.immediate"], places: Place.deterministic,
      instead: "use async let or a task group below the module's run()"),
    Ban(
      words: [
        "@MainActor", "DispatchQueue", "DispatchSemaphore", "Thread(", "Thread.", "sem_wait",
        "NSLock", "pthread_create", "unownedExecutor",
      ], places: Place.seeded,
      instead: "use actors and structured tasks; threads belong to adapters"),
    Ban(
      words: ["Mutex"], places: Place.modules,
      instead: "use Locked (SystemRuntime): ThreadSanitizer misreads Mutex"),
    Ban(
      words: ["Locked"], places: [.core, .providers, .features, .simulation],
      instead: "use an actor",
      allowed: ["Modules/Features/MerchantServer/": "the table of waiting requests"]),
  ]

  private static let values = [
    Ban(
      words: ["try!", "as!"], places: Place.modules.union([.apps]),
      instead: "throw, or use precondition for a fault of our own"),
    Ban(
      words: ["print(", "debugPrint(", "dump("], places: Place.modules.subtracting([.bootstrap]),
      instead: "log through KitEnvironment.log, or return the text to the caller",
      unlessAfter: [".", "func"]),
    Ban(
      words: [".hashValue", "Hasher("], places: Place.seeded,
      instead: "order and pick by a value of the domain: hashes differ in each process"),
    Ban(
      words: ["Double", "Float", "Decimal"], places: [.providers],
      instead: "amounts are Money, numbers of a wire format are decimal text"),
  ]

  private static let memory = [
    Ban(
      words: [
        "Atomic", "TaskExecutor", "Int128", "UInt128", "InlineArray", "isolated deinit",
      ], places: Place.portable.union([.features]),
      instead: "it needs a newer system than the portable part promises"),
    Ban(
      words: ["unsafe"], places: Place.deterministic.union([.apps]),
      instead: "what touches memory by hand belongs to an adapter"),
    Ban(
      words: ["unsafeFlags"], places: Place.modules.union([.apps, .tests, .other]),
      instead: "a package with unsafe flags cannot be a dependency"),
  ]

  private static let tests = [
    Ban(
      words: ["Task.sleep", "usleep(", "nanosleep(", "sleep(", "Date()", "ContinuousClock"],
      places: [.tests], instead: "use ManualClock; wait for an event, not for time",
      unlessAfter: ["func"], allowed: realTime)
  ]

  /// Tests that need real time, each with the reason.
  private static let realTime: [String: String] = [:]
}

extension Rule {
  static let bannedWords = Rule("no banned word", files: { $0.swift != nil }) { file in
    let tokens = file.swift?.tokens ?? []
    var byFirst: [String: [(pattern: [String], word: String, ban: Ban)]] = [:]
    for ban in Ban.all where ban.places.contains(file.place) {
      if ban.allowed.keys.contains(where: { file.path.hasPrefix($0) }) { continue }
      for word in ban.words {
        let pattern = Token.pattern(word)
        byFirst[pattern[0], default: []].append((pattern, word, ban))
      }
    }
    var findings: [Finding] = []
    for (index, token) in tokens.enumerated() {
      for (pattern, word, ban) in byFirst[token.text] ?? [] {
        guard tokens.count - index >= pattern.count,
          zip(tokens[index...], pattern).allSatisfy({ token, text in
            // `try !a` negates; `try!` is another word.
            token.text == text && !(text == "!" && token.spaced)
          })
        else { continue }
        if index > 0, ban.unlessAfter.contains(tokens[index - 1].text) { continue }
        if word == "sleep(", index > 0, tokens[index - 1].text == "." { continue }
        findings.append(file.finding(token.line, "`\(word)`: \(ban.instead)"))
      }
    }
    return findings
  }
}
