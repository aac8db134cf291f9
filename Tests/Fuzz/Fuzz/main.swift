import FuzzProperties

/// What the command line names: `Fuzz TARGET`, with libFuzzer's own arguments behind it.
enum Chosen {
  static let target: FuzzTarget = {
    let names = FuzzTarget.allCases.map(\.rawValue)
    guard let name = CommandLine.arguments.dropFirst().first,
      let target = FuzzTarget(rawValue: name)
    else { fatalError("usage: Fuzz \(names.joined(separator: "|")) [libFuzzer arguments]") }
    return target
  }()
}

// The body keeps to libFuzzer's contract: it reads the bytes only through fuzzBytes, which copies.
unsafe runFuzzer { start, count in
  // Start and count are those that this call was given.
  let bytes = unsafe fuzzBytes(start, count)
  runHere {
    do {
      try await Chosen.target.check(bytes)
    } catch {
      fatalError("claim broken: \(error)")
    }
  }
  return 0
}
