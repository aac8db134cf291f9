import Foundation
import Testing

/// The pictures of the module graph, drawn from Package.swift; `make docs` draws them anew.
@Suite("The module graph, as documented")
struct DiagramTests {
  private static let manifest = Manifest(Project.house.file("Package.swift")?.text ?? "")
  private static let isWriting = ProcessInfo.processInfo.environment["TILL_WRITE_DOCS"] != nil

  @Test func `the map of layers is the manifest's`() throws {
    try expect(
      "Docs/Architecture.md", between: ("```mermaid\nflowchart TD\n", "\n```"),
      ModuleGraph(Self.manifest).map)
  }

  @Test func `the table of modules is the manifest's`() throws {
    let graph = ModuleGraph(Self.manifest)
    try expect(
      "Docs/Modules/README.md", between: ("<!-- table -->\n", "\n<!-- end -->"), graph.table)
    try expect(
      "Docs/Modules/README.md", between: ("```mermaid\nflowchart BT\n", "\n```"), graph.core)
  }

  @Test func `a graph is drawn without the arrows that others imply`() {
    let graph = ModuleGraph(
      Manifest(
        """
        module("Core", "A"), module("Core", "B", ["A"]), module("Core", "C", ["A", "B"]),
        module("Adapters", "D", ["C", "CTillX"]), system("CTillX", pkgConfig: nil),
        """))
    #expect(graph.core == "  B --> A\n  C --> B")
    #expect(
      graph.map == """
          subgraph Adapters
            D
          end
          subgraph Core
            A
            B
            C
          end
          subgraph System
            CTillX
          end
          Adapters --> C
          Adapters --> CTillX
        """)
    #expect(
      graph.table == """
        | module | layer | stands on | taken by modules |
        | --- | --- | --- | --- |
        | [A](A.md) | Core | nothing | 2 |
        | [B](B.md) | Core | A | 1 |
        | [C](C.md) | Core | A, B | 1 |
        | [D](D.md) | Adapters | C, CTillX | 0 |
        """)
  }

  private func expect(_ path: String, between marks: (String, String), _ text: String) throws {
    let page = try #require(Project.house.file(path)).text
    let start = try #require(page.firstRange(of: marks.0)).upperBound
    let end = try #require(page[start...].firstRange(of: marks.1)).lowerBound
    guard Self.isWriting else {
      let isCurrent = page[start..<end] == text
      #expect(isCurrent, "\(path) is not what Package.swift says; to do: make docs")
      return
    }
    // From the file, which another of these tests may have written.
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(path)")
    let now = try String(contentsOf: file, encoding: .utf8)
    let from = try #require(now.firstRange(of: marks.0)).upperBound
    let to = try #require(now[from...].firstRange(of: marks.1)).lowerBound
    try (now[..<from] + text + now[to...]).write(to: file, atomically: true, encoding: .utf8)
  }
}

/// What the manifest says of modules, as the documents show it.
struct ModuleGraph {
  private static let layers = ["Apps", "Features", "Providers", "Adapters", "Core", "System"]
  private let targets: [Manifest.Target]

  init(_ manifest: Manifest) {
    targets = manifest.targets.filter { Self.layers.contains($0.layer) }
  }

  private func layer(_ name: String) -> String? { targets.first { $0.name == name }?.layer }

  /// Every module in its layer, and which layers reach which: Mermaid.
  var map: String {
    let boxes = Self.layers.flatMap { layer -> [String] in
      let names = targets.filter { $0.layer == layer }.map(\.name).sorted()
      return names.isEmpty ? [] : ["  subgraph \(layer)"] + names.map { "    \($0)" } + ["  end"]
    }
    let arrows = Self.layers.flatMap { from in
      Self.layers.filter { $0 != from }.flatMap { drawn(from: from, to: $0) }
    }
    return (boxes + arrows).joined(separator: "\n")
  }

  /// From a layer, or from the few of it that reach the other one; to a layer, or to the only one
  /// of it that is reached.
  private func drawn(from: String, to: String) -> [String] {
    let all = targets.filter { $0.layer == from }
    let takers = all.filter { $0.dependencies.contains { layer($0) == to } }
    let reached = Set(takers.flatMap(\.dependencies).filter { layer($0) == to })
    let head = reached.count == 1 ? reached.first ?? to : to
    let tails = takers.count * 2 < all.count ? takers.map(\.name).sorted() : [from]
    return takers.isEmpty ? [] : tails.map { "  \($0) --> \(head)" }
  }

  /// The arrows of Core, without those that others imply: Mermaid.
  var core: String {
    let core = targets.filter { $0.layer == "Core" }.sorted { $0.name < $1.name }
    return core.flatMap { target in
      target.dependencies.filter { direct in
        !target.dependencies.contains { $0 != direct && reached(from: $0).contains(direct) }
      }.sorted().map { "  \(target.name) --> \($0)" }
    }.joined(separator: "\n")
  }

  private func reached(from name: String) -> Set<String> {
    let next = targets.first { $0.name == name }?.dependencies ?? []
    return next.reduce(into: Set(next)) { $0.formUnion(reached(from: $1)) }
  }

  /// Each module with its page, what it stands on, and who takes it: Markdown.
  var table: String {
    let modules = targets.filter { !["Apps", "System"].contains($0.layer) }
      .sorted { $0.name < $1.name }
    var lines = ["| module | layer | stands on | taken by modules |", "| --- | --- | --- | --- |"]
    for module in modules {
      let takers = modules.count { $0.dependencies.contains(module.name) }
      let below = module.dependencies.sorted()
      let cells: [String] = [
        "[\(module.name)](\(module.name).md)", module.layer,
        below.isEmpty ? "nothing" : below.joined(separator: ", "),
        "\(takers)",
      ]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n")
  }
}
