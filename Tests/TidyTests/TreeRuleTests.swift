import Testing

@Suite("The rules about the whole tree")
struct TreeRuleTests {
  /// The rules that this suite shows red.
  static let coveredRules = [
    Rule.layering, .oneImporter, .complete, .decisions, .exactImports, .placeholders, .seededFaults,
    .toldCommands,
  ].map(\.name)

  private static let manifest = """
    module("Core", "A", ["B"]),
    module("Core", "B"),
    module(
      "Adapters", "D",
      ["A", "CTillX"]),
    // module("Core", "Commented"),
    module("Adapters", "SystemRuntime"), module("Adapters", "D2"),
    module("Providers", "P", ["A"]), module("Providers", "Q"),
    module("Features", "F", ["A"]), module("Features", "Bootstrap", ["F", "D", "P"]),
    module("Features", "ProviderSandbox", ["B"]), module("Features", "PaymentOracle"),
    module("Features", "Simulation", ["F", "P", "SystemRuntime", "PaymentOracle"]),
    system("CTillX", pkgConfig: nil, apt: "x", brew: "x"),
    .systemLibrary(name: "CTillY", path: "Modules/System/CTillY"),
    app("till", ["Bootstrap"]),
    tests("ATests", ["A", "till"]),
    .target(
      name: "TestSupport", dependencies: ["A"], path: "Tests/Support"),
    """

  private func project(_ manifest: String, _ files: [String: String] = [:]) -> Project {
    var all = [SourceFile(path: "Package.swift", text: manifest)]
    all += files.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, text: $0.value) }
    return Project(files: all, paths: [])
  }

  private func messages(_ rule: Rule, _ project: Project) -> [String] {
    rule.check(project).map { "\($0.path):\($0.line) \($0.message)" }
  }

  @Test func `the manifest is read in each of its forms`() {
    let manifest = Manifest(Self.manifest)
    #expect(manifest.targets.count == 17)
    #expect(manifest.target("A")?.dependencies == ["B"])
    #expect(manifest.target("D")?.dependencies == ["A", "CTillX"])
    #expect(manifest.target("B")?.dependencies == [])
    #expect(manifest.target("CTillX")?.kind == .system)
    #expect(manifest.target("CTillY")?.path == "Modules/System/CTillY")
    #expect(manifest.target("TestSupport")?.path == "Tests/Support")
    #expect(manifest.target("Commented") == nil)
  }

  @Test func `the arrows of the design are allowed`() {
    #expect(messages(.layering, project(Self.manifest)) == [])
  }

  @Test(arguments: [
    ("A", "F"), ("A", "D"), ("A", "CTillX"), ("A", "P"), ("A", "till"), ("A", "TestSupport"),
    ("P", "Q"), ("P", "D"), ("P", "CTillX"), ("P", "ProviderSandbox"), ("P", "F"),
    ("D", "D2"), ("D", "F"), ("D", "P"),
    ("F", "D"), ("F", "P"), ("F", "CTillX"), ("F", "Bootstrap"),
    ("ProviderSandbox", "P"), ("till", "A"), ("A", "Unknown"),
    ("Simulation", "D"), ("Simulation", "Bootstrap"), ("Simulation", "CTillX"),
    ("PaymentOracle", "A"), ("PaymentOracle", "F"),
  ])
  func `an arrow that is not in the design is refused`(_ from: String, _ to: String) throws {
    let manifest = Manifest(Self.manifest)
    let target = try #require(manifest.target(from))
    if let dependency = manifest.target(to) {
      #expect(Layering.objection(target, dependency) != nil)
    } else {
      let text = "module(\"Core\", \"\(from)\", [\"\(to)\"])"
      #expect(messages(.layering, project(text)).count == 1)
    }
  }

  // Raïs: "No Raïs key, and no key-like string, anywhere in the app"; Futa: "the app never holds
  // your secret key"; Tabby: "call it server-side — never from the app".
  @Test(arguments: [
    ("Core", "MerchantClient"), ("Core", "CheckoutSession"), ("Core", "StrictJSON"),
    ("Adapters", "SQLiteDeviceStore"),
  ])
  func `an app takes no part that knows a provider's key`(layer: String, part: String) throws {
    let manifest = Manifest(
      """
      module("\(layer)", "\(part)"), module("Core", "ProviderInterface"),
      module("Core", "CheckoutService"), module("Providers", "TabbyProvider"),
      """)
    let target = try #require(manifest.target(part))
    for name in ["ProviderInterface", "CheckoutService", "TabbyProvider"] {
      let objection = Layering.objection(target, try #require(manifest.target(name)))
      #expect(objection == "an app takes no part that knows a provider's key")
    }
    let house = Manifest(try #require(Project.house.file("Package.swift")).text)
    #expect(house.target(part)?.layer == layer)
  }

  @Test func `no text that an app takes looks like a key`() {
    let looks = #/sk_(test|live)|secretKey|secret_key/#
    let modules = Project.house.swiftFiles.filter { $0.path.hasPrefix("Modules/") }
    let found = modules.filter { $0.text.contains(looks) }.map(\.path)
    #expect(found.contains { $0.hasPrefix("Modules/Providers/RaisProvider/") })
    for part in Layering.appParts {
      #expect(modules.contains { $0.path.contains("/\(part)/") })
      #expect(!found.contains { $0.contains("/\(part)/") }, "\(part)")
    }
  }

  @Test func `an adapter may use the runtime`() throws {
    let manifest = Manifest(Self.manifest)
    let adapter = try #require(manifest.target("D"))
    let runtime = try #require(manifest.target("SystemRuntime"))
    #expect(Layering.objection(adapter, runtime) == nil)
  }

  @Test(arguments: [(["D"], 0), (["D", "D2"], 1), ([], 1)])
  func `a C library has one importer`(_ importers: [String], _ findings: Int) {
    let text =
      "system(\"CTillX\", pkgConfig: nil)\n"
      + importers.map { "module(\"Adapters\", \"\($0)\", [\"CTillX\"])" }.joined(separator: "\n")
    #expect(messages(.oneImporter, project(text)).count == findings)
  }

  @Test func `folders and targets match, and modules have tests`() {
    let text = "module(\"Core\", \"A\"), tests(\"ATests\", [\"A\"]), module(\"Core\", \"Gone\")"
    let found = messages(
      .complete,
      project(
        text,
        [
          "Modules/Core/A/F.swift": "", "Modules/Core/Stray/F.swift": "",
          "Tests/ATests/F.swift": "", "Tests/Fuzz/Package.swift": "",
        ]))
    #expect(found.count == 3)
    #expect(found[0].contains("Modules/Core/Stray is no target"))
    #expect(found[1].contains("Modules/Core/Gone has no files"))
    #expect(found[2].contains("Gone has no tests"))
  }

  @Test func `imports are exactly the dependencies`() {
    let text = """
      module("Core", "A", ["B", "C"]), module("Core", "B"), module("Core", "C"),
      module("Core", "E"), app("till", ["A"]), tests("ATests", ["A", "till"]),
      """
    let found = messages(
      .exactImports,
      project(
        text,
        [
          "Modules/Core/A/F.swift": "public import B\nimport E\nprivate import struct Glibc.FILE",
          "Apps/till/main.swift": "import A",
          "Tests/ATests/F.swift": "import Foundation\n@testable import A\nimport Testing",
        ]))
    #expect(found.count == 3)
    #expect(found[0].hasPrefix("Modules/Core/A/F.swift:2 E is imported but not declared"))
    #expect(found[1].hasPrefix("Modules/Core/A/F.swift:3 Glibc may not be imported here"))
    #expect(found[2].hasSuffix("A declares C and never imports it"))
  }

  @Test func `a placeholder does not stay beside real code`() {
    let placeholder = "// " + Leftover.placeholder + "."
    let files = [
      "Modules/Core/A/F.swift": "let a = 1", "Modules/Core/A/Placeholder.swift": placeholder,
    ]
    #expect(
      Rule.placeholders.check(project("", files)).map(\.path) == [
        "Modules/Core/A/Placeholder.swift"
      ])
  }

  @Test func `every decision is in the index`() {
    let files = [
      "Docs/Decisions/README.md": "# D\n[1](0001-a.md)", "Docs/Decisions/0001-a.md": "# A",
      "Docs/Decisions/0002-b.md": "# B",
    ]
    #expect(
      messages(.decisions, project("", files)) == [
        "Docs/Decisions/README.md:1 Docs/Decisions/0002-b.md is missing from the table"
      ])
  }

  @Test func `a document names commands that exist`() {
    let files = [
      "Makefile": ".PHONY: test\ntest: ## Test\n",
      "README.md": "# R\nRun `make test`, make do, `make tea`.\nmake coffee\n`Scripts/gone x`",
    ]
    #expect(
      messages(.toldCommands, project("", files)) == [
        "README.md:2 there is no target tea in the Makefile",
        "README.md:3 there is no target coffee in the Makefile",
        "README.md:4 there is no Scripts/gone",
      ])
  }
}
