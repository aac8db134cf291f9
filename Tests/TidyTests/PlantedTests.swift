import Testing

/// A snippet and the lines at which a rule must speak; no lines for what is right.
struct Planted: Sendable, CustomTestStringConvertible {
  var rule: Rule
  var path: String
  var text: String
  var lines: [Int]
  var executable = true

  init(_ rule: Rule, _ path: String, _ text: String, _ lines: [Int], executable: Bool = true) {
    (self.rule, self.path, self.text, self.lines) = (rule, path, text, lines)
    self.executable = executable
  }

  var testDescription: String { "\(rule.name): \(String(text.prefix(40)).debugDescription)" }
}

@Suite("Each rule speaks when it should and is silent when it should")
struct PlantedTests {
  @Test(arguments: Planted.code + Planted.shape + Planted.documents + Planted.texts)
  func `a planted text is found`(_ planted: Planted) {
    let project = Project(
      files: [SourceFile(path: planted.path, text: planted.text)],
      paths: [planted.path, "Docs", "Docs/Other.md"],
      executables: planted.executable ? [planted.path] : [])
    let findings = planted.rule.check(project)
    #expect(findings.map(\.line) == planted.lines)
    #expect(findings.allSatisfy { $0.message.contains(" ") }, "a message says what to do instead")
  }

  @Test func `every rule was seen red`() {
    let red = (Planted.code + Planted.shape + Planted.documents + Planted.texts)
      .filter { !$0.lines.isEmpty }.map(\.rule.name)
    let treeRules = TreeRuleTests.coveredRules
    #expect(Set(red + treeRules) == Set(House.rules.map(\.name)))
  }

  @Test(arguments: Ban.all.flatMap { ban in ban.words.map { (ban, $0) } })
  func `every banned word is found where it is banned`(_ ban: Ban, _ word: String) throws {
    let samples: [Place: String] = [
      .core: "Modules/Core/M/F.swift", .providers: "Modules/Providers/M/F.swift",
      .adapters: "Modules/Adapters/M/F.swift", .features: "Modules/Features/M/F.swift",
      .portableAdapters: "Modules/Adapters/SQLiteConnection/F.swift",
      .bootstrap: "Modules/Features/Bootstrap/F.swift", .apps: "Apps/m/F.swift",
      .simulation: "Modules/Features/Simulation/F.swift",
      .tests: "Tests/MTests/F.swift", .other: "Package.swift",
    ]
    for place in ban.places {
      let path = try #require(samples[place])
      let file = SourceFile(path: path, text: "let x = 1\nf(\(word)")
      let findings = Rule.bannedWords.check(Project(files: [file], paths: []))
      #expect(findings.contains { $0.line == 2 && $0.message.contains(ban.instead) })
    }
  }
}

extension Planted {
  private static let core = "Modules/Core/M/F.swift"
  private static let adapter = "Modules/Adapters/M/F.swift"
  private static let simulation = "Modules/Features/Simulation/F.swift"
  private static let test = "Tests/MTests/F.swift"

  static let code: [Planted] = [
    // Words in comments, strings and sentence names are no code; words of other owners are theirs.
    Planted(.bannedWords, core, "// Date()\nlet a = \"Date()\"\n/* UUID() */", []),
    Planted(.bannedWords, core, "/* a /* b */ Date() */ UUID()", [1]),
    Planted(.bannedWords, core, "let a = \"\\(Date())\"", [1]),
    Planted(.bannedWords, core, "let a = #\"\\(Date())\"#", []),
    Planted(.bannedWords, core, "let a = #\"\\#(Date())\"#", [1]),
    Planted(.bannedWords, core, "let a = \"\"\"\n  Date() \" UUID()\n  \"\"\"\nUUID()", [4]),
    Planted(.bannedWords, core, "let d = InvoiceDate()", []),
    Planted(.bannedWords, core, "let d = Date ( )", [1]),
    Planted(.bannedWords, core, "guard try !f() else { return }\ntry! f()", [2]),
    Planted(.bannedWords, core, "func print(_ t: String)\nsink.print(t)", []),
    Planted(.bannedWords, core, "group.addTask { await f() }\nTask\n{ f() }", [2]),
    Planted(.bannedWords, test, "try await clock.sleep(for: d)", []),
    Planted(.bannedWords, simulation, "Task.detached { unsafe f() }", []),
    Planted(.bannedWords, simulation, "let t = Date()", [1]),
    Planted(.bannedWords, test, "@Test func `no sleep( here`() {}\nsleep(1)", [2]),
    Planted(.bannedWords, adapter, "let d = Date()", []),

    Planted(.emptyCatch, core, "do { try f() } catch {}", [1]),
    Planted(.emptyCatch, core, "do { try f() }\ncatch let e as E {\n  // never mind\n}", [2]),
    Planted(.emptyCatch, core, "do { try f() } catch { log(error) }", []),

    Planted(.forceUnwrap, core, "let a = b!.c", [1]),
    Planted(.forceUnwrap, core, "let a = f()! + g[0]!", [1, 1]),
    Planted(.forceUnwrap, core, "if a != b, !c, x! != y { }", [1]),
    Planted(.forceUnwrap, core, "let a: Int! = nil", [1]),
    Planted(.forceUnwrap, core, "let a = !b && (!c)", []),
    Planted(.forceUnwrap, test, "let a = b!", []),

    Planted(.unsafeSentence, adapter, "f()\nunsafe g()", [2]),
    Planted(.unsafeSentence, adapter, "// The buffer outlives the call.\nunsafe g()", []),
    Planted(
      .unsafeSentence, adapter, "// The lock is held.\nunsafe g()\nunsafe h()\n\nunsafe i()", [5]),
    Planted(.unsafeSentence, adapter, "/// Does it.\nfunc f() {\n  unsafe g()\n}", [3]),
    Planted(.unsafeSentence, adapter, "/// Does it.\n// Lent.\nfunc f(\n) {\n  unsafe g()\n}", []),
    Planted(.unsafeSentence, adapter, "// Lent.\n\nfunc f() {\n  unsafe g()\n}", [4]),
    Planted(.unsafeSentence, adapter, "final class A: @unchecked Sendable {}", [1]),
    Planted(.unsafeSentence, adapter, "@safe\nfinal class A {}", [1]),
    Planted(.unsafeSentence, adapter, "nonisolated(unsafe) var a = 1", [1]),
    Planted(.unsafeSentence, adapter, "let a = \"unsafe\" // unsafe", []),
    Planted(.unsafeSentence, simulation, "f()\nunsafe g()", [2]),

    Planted(.orderedSelect, adapter, "f(\"SELECT a FROM t WHERE b = ?\")", [1]),
    Planted(.orderedSelect, adapter, "f(\"\"\"\n  select a\n  from t\n  \"\"\")", [1]),
    Planted(.orderedSelect, adapter, "f(\"SELECT a FROM t ORDER BY id\")", []),
    Planted(.orderedSelect, adapter, "f(\"SELECT count(*) FROM t\")", []),
    Planted(.orderedSelect, adapter, "f(\"SELECT 1 FROM t WHERE a = ?\")", []),
    Planted(.orderedSelect, adapter, "f(\"SELECT a FROM t WHERE id = ?\")", []),
    Planted(.orderedSelect, adapter, "f(\"SELECT a FROM t\"\n  + \" ORDER BY id\")", []),
    Planted(.orderedSelect, adapter, "f(\"SELECT a FROM t\"\n  + \" WHERE b\")", [1]),
    Planted(.orderedSelect, adapter, "f(\"SELECT count(*), a FROM t GROUP BY a\")", [1]),
    Planted(.orderedSelect, adapter, "// One row: id is the key.\nf(\"SELECT a FROM t\")", []),

    Planted(.documented, core, "public struct A {\n}", [1]),
    Planted(.documented, core, "/// A.\n@frozen\npublic struct A {\n  var b: Int\n}", []),
    Planted(.documented, core, "/// A.\npublic protocol A {\n  func f()\n}", [3]),
    Planted(.documented, core, "protocol A {\n  func f()\n}", []),
    Planted(.documented, core, "/// A.\npublic extension A {\n  func f() {}\n}", [3]),
    Planted(
      .documented, core, "public extension A {\n  private func f() {\n    let b = 1\n  }\n}", []),
    Planted(.documented, core, "/// A.\npublic enum A {\n  case b\n  /// C.\n  case c\n}", [3]),
    Planted(
      .documented, core,
      "/// A.\npublic enum A {\n  /// B.\n  case b\n  var c: Int { switch self { case .b: 1 } }\n}",
      []),
    Planted(
      .documented, core, "/// A.\npublic struct A {\n  private enum B {\n    case c\n  }\n}", []),
    Planted(.documented, test, "public struct A {}", []),
  ]

  static let shape: [Planted] = [
    Planted(.fileLength, core, Self.lines(400), []),
    Planted(.fileLength, core, Self.lines(401), [401]),
    Planted(.fileLength, "Package.swift", Self.lines(500), []),
    Planted(.fileLength, "Package.swift", Self.lines(501), [501]),
    Planted(.fileLength, "Apps/till/main.swift", Self.lines(40), []),
    Planted(.fileLength, "Apps/till/main.swift", Self.lines(41), [41]),
    Planted(.lineLength, core, String(repeating: "é", count: 100), []),
    Planted(.lineLength, core, "\n" + String(repeating: "x", count: 101), [2]),
    Planted(.functionLength, core, "func f() {\n" + Self.lines(68) + "}", []),
    Planted(.functionLength, core, "func f() {\n" + Self.lines(69) + "}", [1]),
    Planted(
      .functionLength, core,
      "init(a: () -> Void = {}) {\n" + Self.lines(69) + "}\nfunc g() {}", [1]),
    Planted(.functionLength, core, "protocol A {\n  func f()\n  init()\n}\n" + Self.lines(99), []),
    Planted(.readme, "README.md", Self.lines(150), []),
    Planted(.readme, "README.md", Self.lines(151), [151]),
    Planted(.shims, "Modules/System/CTillA/shim.h", "#pragma once\nint f(int a) {\n", [2]),
    Planted(.shims, "Modules/System/CTillA/shim.h", "static inline int till_f(void) {\n}", [1]),
    Planted(
      .shims, "Modules/System/CTillA/shim.h",
      "// Variadic.\nstatic inline int till_f(void) {\n}\nstatic inline int till_g(void) {\n}", []),
    Planted(
      .shims, "Modules/System/CTillA/shim.h",
      "// Variadic.\nstatic inline int till_f(void) {\n}\n\nstatic inline int till_g(void) {\n}",
      [5]),
  ]

  private static func lines(_ count: Int) -> String {
    String(repeating: "let a = 1\n", count: count)
  }

  static let documents: [Planted] = [
    Planted(.markdown, "Docs/A.md", "# A\n\ntext\n", []),
    Planted(.markdown, "Docs/A.md", "text\n", [1]),
    Planted(.markdown, "Docs/A.md", "# A\n\n# B\n", [3]),
    Planted(.markdown, "Docs/A.md", "# A\n```\n# not a title [x](Gone.md)\n```\n", []),
    Planted(.markdown, "Docs/A.md", "# A\n[b](Other.md#top) [c](../Docs) [d](#a)\n", []),
    Planted(
      .markdown, "Docs/A.md",
      "# A `b` (c), d: e_f\n## Top\n## Top\n[x](#a-b-c-d-e_f) [y](#top-1) [z](A.md#top)\n", []),
    Planted(.markdown, "Docs/A.md", "# A\n[b](#b)\n```\n## b\n```\n[c](A.md#c)\n", [2, 6]),
    Planted(.markdown, "Docs/A.md", "# A\n[b](Gone.md) `[c](Gone.md)`\n", [2]),
    Planted(.markdown, "Docs/A.md", "# A\n[b](../../x.md)\n", [2]),

    Planted(.shellScripts, "Scripts/a", "#!/usr/bin/env bash\nset -euo pipefail\n", []),
    Planted(.shellScripts, "Scripts/a", "#!/bin/sh\nset -euo pipefail\n", [1]),
    Planted(.shellScripts, "Scripts/a", "#!/usr/bin/env bash\nset -e\n", [2]),
    Planted(
      .shellScripts, "Scripts/a", "#!/usr/bin/env bash\nset -euo pipefail\n", [1],
      executable: false),

    Planted(.makefile, "Makefile", ".PHONY: a\na: b ## Do it\n\t@x\nB := 1\n", []),
    Planted(.makefile, "Makefile", ".PHONY: a\na:\n\t@x\n", [2]),
    Planted(.makefile, "Makefile", "a: ## Do it\n\t@x\n", [1]),
  ]

  static let texts: [Planted] = [
    Planted(.secrets, core, "\nlet a = \"sk_" + "live_0123456789ab\"", [2]),
    Planted(.secrets, core, "let a = \"sk_" + "9f1c2d3e-0a1b-4c2d-8e3f-0123456789ab\"", [1]),
    Planted(.secrets, core, "let a = \"sk_test_" + "9f1c2d3e-0a1b-4c2d-8e3f-0123456789ab\"", [1]),
    Planted(.secrets, core, "let a = \"sk_test_00000000-0000-0000-0000-000000000001\"", []),
    Planted(.secrets, "Docs/A.md", "-----BEGIN RSA PRIV" + "ATE KEY-----", [1]),
    Planted(.secrets, "Docs/A.md", "AK" + "IAIOSFODNN7EXAMPLE", [1]),
    Planted(.secrets, core, "key.hasPrefix(\"sk_\") || key.hasPrefix(\"sk_test_\")", []),

    Planted(.workplaces, core, "// see /wo" + "rk/x", [1]),
    Planted(.workplaces, core, "// see /ro" + "ot/x", [1]),
    Planted(
      .workplaces, "Docs/A.md", "a sub" + "agent\nof Clau" + "de\npy" + "pi.org", [1, 2, 3]),
    Planted(.workplaces, core, "// a network/worker, a root/leaf", []),

    Planted(.leftovers, core, "// TO" + "DO: later\n// FIX" + "ME\n// XX" + "X", [1, 2, 3]),
    Planted(.leftovers, core, "let none = Currency(\"XX" + "X\")", []),
    Planted(.leftovers, "Scripts/a", "mktemp -d /x/a.XX" + "XXXX", []),
  ]
}
