/// The targets of Package.swift, read from its text: it is written in one regular form, and a
/// target in another form is missed by the reader and then reported as a folder without a target.
struct Manifest: Sendable {
  enum Kind: Hashable, Sendable { case module(layer: String), system, app, test, testSupport }

  struct Target: Sendable {
    var name: String
    var kind: Kind
    var path: String
    var dependencies: [String]

    var layer: String {
      switch kind {
      case .module(let layer): layer
      case .system: "System"
      case .app: "Apps"
      case .test, .testSupport: "Tests"
      }
    }
  }

  var targets: [Target] = []

  func target(_ name: String) -> Target? { targets.first { $0.name == name } }

  init(_ text: String) {
    let text = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    for match in text.matches(
      of: #/\bmodule\(\s*"([\w-]+)",\s*"([\w-]+)"(?:,\s*\[([^\]]*)\])?\s*\)/#)
    {
      let (_, layer, name, list) = match.output
      add(
        String(name), .module(layer: String(layer)), "Modules/\(layer)/\(name)",
        list.map(String.init))
    }
    for match in text.matches(of: #/\b(tests|app)\(\s*"([\w-]+)",\s*\[([^\]]*)\]\s*\)/#) {
      let (_, kind, name, list) = match.output
      let folder = kind == "app" ? "Apps" : "Tests"
      add(String(name), kind == "app" ? .app : .test, "\(folder)/\(name)", String(list))
    }
    for match in text.matches(of: #/(?:\bsystem\(|\.systemLibrary\(\s*name:)\s*"([\w-]+)"/#) {
      add(String(match.1), .system, "Modules/System/\(match.1)", nil)
    }
    for match in text.matches(
      of: #/\.target\(\s*name:\s*"([\w-]+)",\s*dependencies:\s*\[([^\]]*)\],\s*path:\s*"([^"]+)"/#)
    {
      add(String(match.1), .testSupport, String(match.3), String(match.2))
    }
  }

  private mutating func add(_ name: String, _ kind: Kind, _ path: String, _ list: String?) {
    let dependencies = (list ?? "").matches(of: #/"([\w-]+)"/#).map { String($0.1) }
    targets.append(Target(name: name, kind: kind, path: path, dependencies: dependencies))
  }
}
