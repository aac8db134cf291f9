/// A case of `SeededFault`, as its file has it.
struct SeededFaultCase: Hashable {
  static let path = "Modules/Core/PaymentModels/SeededFault.swift"

  let name: String
  let effect: String
  let line: Int

  static func all(in file: SourceFile) -> [SeededFaultCase] {
    file.lines.enumerated().compactMap { index, text in
      text.wholeMatch(of: #/\s*case (\w+) = "(.+)"/#).map {
        SeededFaultCase(name: String($0.1), effect: String($0.2), line: index + 1)
      }
    }
  }
}

extension Rule {
  static let seededFaults = Rule("every seeded fault breaks something and was found") { project in
    guard let file = project.file(SeededFaultCase.path) else { return [] }
    let faults = SeededFaultCase.all(in: file)
    let code = project.swiftFiles.filter {
      $0.path.hasPrefix("Modules/") && $0.path != file.path
    }
    let broken = Set(
      code.flatMap { file in
        file.text.matches(of: #/SeededFault\.active == \.(\w+)/#).map { String($0.1) }
      })
    let unbroken = faults.filter { !broken.contains($0.name) }.map {
      file.finding($0.line, "\($0.name) breaks nothing: write its `if`, or drop it")
    }
    return unbroken + code.flatMap(unguarded) + untold(faults, file, project)
  }

  /// Faults without a row of the table, or whose row says something else; rows without a fault.
  private static func untold(
    _ faults: [SeededFaultCase], _ file: SourceFile, _ project: Project
  ) -> [Finding] {
    let document = project.file("Docs/Simulation.md")
    let rows = (document?.lines ?? []).compactMap { line in
      line.wholeMatch(of: #/\| `(\w+)` \| (.+) \| [0-9]+ \| [0-9]+ \| .+ \|/#)
    }.map { (name: String($0.1), effect: String($0.2)) }
    let missing = faults.filter { fault in
      !rows.contains { $0.name == fault.name && $0.effect == fault.effect }
    }
    let strange = rows.filter { row in !faults.contains { $0.name == row.name } }
    return missing.map {
      file.finding(
        $0.line, "\($0.name) has no row in Docs/Simulation.md: `till-app mutants --write`")
    }
      + strange.map { row in
        file.finding(1, "Docs/Simulation.md tells of \(row.name), which is no fault")
      }
  }

  /// Places that would be in a build without the trait.
  private static func unguarded(_ file: SourceFile) -> [Finding] {
    var depth: [Bool] = []
    return file.lines.enumerated().compactMap { index, line in
      let words = line.split(separator: " ")
      switch words.first {
      case "#if": depth.append(words.dropFirst().elementsEqual(["FaultInjection"]))
      case "#else", "#elseif": if depth.popLast() != nil { depth.append(false) }
      case "#endif": _ = depth.popLast()
      default: break
      }
      guard line.contains("SeededFault"), !depth.contains(true) else { return nil }
      return file.finding(
        index + 1, "a seeded fault stands between `#if FaultInjection` and `#endif`")
    }
  }
}
