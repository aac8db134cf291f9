extension Rule {
  /// Arrows point down only, and what is apart stays apart.
  static let layering = Rule("dependencies point down") { project in
    guard let file = project.file("Package.swift") else { return [] }
    let manifest = Manifest(file.text)
    return manifest.targets.flatMap { target in
      target.dependencies.compactMap { name -> Finding? in
        guard let dependency = manifest.target(name) else {
          return file.finding(1, "\(target.name) depends on \(name), which is no target")
        }
        return Layering.objection(target, dependency).map {
          file.finding(1, "\(target.name) may not depend on \(name): \($0)")
        }
      }
    }
  }

  /// One module wraps each C library, so that its lifetimes are argued for in one place.
  static let oneImporter = Rule("one importer for each C library") { project in
    guard let file = project.file("Package.swift") else { return [] }
    let manifest = Manifest(file.text)
    return manifest.targets.filter { $0.kind == .system }.compactMap { system in
      let importers = manifest.targets.filter { $0.dependencies.contains(system.name) }.map(\.name)
      guard importers.sorted() != Layering.sharedSystem[system.name] else { return nil }
      guard importers.count != 1 else { return nil }
      return file.finding(
        1, "\(system.name) has \(importers.count) importers \(importers): wrap it in one adapter")
    }
  }

  /// Every folder is a target and every target a folder; every module has its tests.
  static let complete = Rule("folders and targets match") { project in
    guard let file = project.file("Package.swift") else { return [] }
    let manifest = Manifest(file.text)
    let folders = Set(
      project.files.compactMap { file -> String? in
        let parts = file.path.split(separator: "/")
        let depth = parts.first == "Modules" ? 3 : 2
        guard ["Modules", "Apps", "Tests"].contains(parts.first), parts.count > depth else {
          return nil
        }
        return parts.prefix(depth).joined(separator: "/")
      })
    let targets = Set(manifest.targets.map(\.path))
    // A package of its own, since it links with sanitizer flags only; data that tests read; and
    // what is written in other languages.
    let apart: Set<String> = [
      "Tests/Benchmarks", "Tests/Fixtures", "Tests/Fuzz", "Tests/NaiveBackend",
    ]
    let stray = folders.subtracting(targets).subtracting(apart).sorted().map {
      file.finding(1, "\($0) is no target: declare it with module(), tests() or app()")
    }
    let empty = targets.subtracting(folders).sorted().map {
      file.finding(1, "\($0) has no files")
    }
    let untested = manifest.targets.filter {
      guard case .module = $0.kind, !Layering.untested.contains($0.name) else { return false }
      return manifest.target($0.name + "Tests") == nil
    }
    return stray + empty
      + untested.map { file.finding(1, "\($0.name) has no tests: add \($0.name)Tests") }
  }

  /// The import lines of a target are exactly its declared dependencies.
  static let exactImports = Rule("imports are exactly the declared dependencies") { project in
    guard let package = project.file("Package.swift") else { return [] }
    let manifest = Manifest(package.text)
    let names = Set(manifest.targets.map(\.name))
    return manifest.targets.filter { $0.kind != .system }.flatMap { target -> [Finding] in
      let files = project.swiftFiles.filter { $0.path.hasPrefix(target.path + "/") }
      let imports = files.flatMap { file in
        Import.all(in: file).map { (file: file, line: $0.line, module: $0.module) }
      }
      let undeclared = imports.filter { imported in
        if names.contains(imported.module) {
          !target.dependencies.contains(imported.module)
        } else {
          !Layering.outside(target).contains(imported.module)
        }
      }
      // An app is a dependency of tests so that it is built; it cannot be imported.
      let unused = target.dependencies.filter { name in
        manifest.target(name)?.kind != .app && !imports.contains { $0.module == name }
      }
      return undeclared.map {
        $0.file.finding(
          $0.line,
          names.contains($0.module)
            ? "\($0.module) is imported but not declared for \(target.name)"
            : "\($0.module) may not be imported here: only an adapter touches the system")
      }
        + (target.isPlaceholder(files)
          ? []
          : unused.map { package.finding(1, "\(target.name) declares \($0) and never imports it") })
    }
  }
}

extension Manifest.Target {
  /// Whether nobody has written it yet.
  fileprivate func isPlaceholder(_ files: [SourceFile]) -> Bool {
    files.allSatisfy { $0.text.contains(Leftover.placeholder) }
  }
}

/// An import line.
struct Import: Hashable {
  var line: Int
  var module: String

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "func", "typealias",
  ]

  static func all(in file: SourceFile) -> [Import] {
    let tokens = file.swift?.tokens ?? []
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "import", index + 1 < tokens.count,
        index == 0 || tokens[index - 1].text != "."
      else { return nil }
      var name = index + 1
      if kinds.contains(tokens[name].text), name + 1 < tokens.count { name += 1 }
      return Import(line: tokens[index].line, module: tokens[name].text)
    }
  }
}

/// Who may know whom.
enum Layering {
  /// The C library itself is no resource that one wrapper could own: threads and timers need it
  /// in SystemRuntime, the listener needs its sockets.
  static let sharedSystem = ["CTillSockets": ["HTTPListener", "SystemRuntime"]]

  /// Modules that are a protocol and plain values: their users' tests are their tests.
  static let untested: Set<String> = ["ProviderInterface"]

  /// Helpers that every adapter may use.
  private static let adapterHelpers: Set<String> = ["SQLiteConnection", "SystemRuntime"]

  /// What an app may take, closed in itself: a provider's secret key never leaves the server, so
  /// no code that knows one gets into an app.
  static let appParts: Set<String> = [
    "CheckoutLifecycle", "CheckoutSession", "HTTPExchange", "KitEnvironment", "MerchantAPI",
    "MerchantClient", "PaymentModels", "SQLiteDeviceStore", "StrictJSON", "URLSessionTransport",
  ]

  /// All that the suite for backends of others may know.
  private static let blackBox: Set<String> = [
    "HTTPExchange", "KitEnvironment", "PaymentModels", "StrictJSON",
  ]

  /// Why `target` may not depend on `dependency`; nil if it may.
  static func objection(_ target: Manifest.Target, _ dependency: Manifest.Target) -> String? {
    if appParts.contains(target.name), !appParts.contains(dependency.name),
      ["Core", "Providers"].contains(dependency.layer)
    {
      return "an app takes no part that knows a provider's key"
    }
    if target.name == "Conformance", !blackBox.contains(dependency.name) {
      return "a suite for any backend shares no code with ours"
    }
    if target.name == "PaymentOracle", !["PaymentModels", "StrictJSON"].contains(dependency.name) {
      return "a judge shares no code with what it judges"
    }
    return switch (target.layer, dependency.layer) {
    case ("Tests", _): nil
    case (_, "Tests"), (_, "Apps"): "nothing below the tests or the apps depends on them"
    case ("Apps", _): dependency.name == "Bootstrap" ? nil : "an app composes through Bootstrap"
    case ("Core", "Core"): nil
    case ("Core", _): "Core depends on Core alone"
    case ("Providers", "Core"): nil
    case ("Providers", "Providers"): "a provider stands alone"
    case ("Providers", _): "a provider depends on Core alone"
    case ("Adapters", "Core"), ("Adapters", "System"): nil
    case ("Adapters", "Adapters"):
      adapterHelpers.contains(dependency.name)
        ? nil : "an adapter may use SQLiteConnection and SystemRuntime, no other adapter"
    case ("Adapters", _): "an adapter depends on Core and System"
    case ("Features", "Core"): nil
    case ("Features", "Features"): dependency.name == "Bootstrap" ? "Bootstrap is the top" : nil
    case ("Features", "System"): "only an adapter touches a C library"
    case ("Features", "Adapters"), ("Features", "Providers"):
      target.name == "Bootstrap" || isWorldPart(target, dependency)
        ? nil : "live types meet in Bootstrap alone"
    default: "\(target.layer) → \(dependency.layer) is no arrow of the design"
    }
  }

  /// A simulated world plays the providers' own code and the store's, on a thread that it is given;
  /// the store's commits are driven by the world. It names no other type that is live.
  private static func isWorldPart(
    _ target: Manifest.Target, _ dependency: Manifest.Target
  ) -> Bool {
    target.name == "Simulation"
      && (dependency.layer == "Providers"
        || ["SQLitePaymentStore", "SystemRuntime"].contains(dependency.name))
  }

  /// Modules from outside the package that a target may import.
  static func outside(_ target: Manifest.Target) -> Set<String> {
    switch target.kind {
    case .module("Adapters"):
      target.name == "URLSessionTransport"
        ? ["Foundation", "FoundationNetworking"] : ["Darwin", "Glibc", "Synchronization"]
    case .app: ["Glibc"]
    case .test, .testSupport:
      [
        "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Synchronization",
        "Testing",
      ]
    case .module where target.name == "Bootstrap": ["Glibc"]
    case .module, .system: []
    }
  }
}
