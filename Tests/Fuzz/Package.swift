// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because its programs link only with libFuzzer: `Scripts/fuzz` knows the
// flags. A further target is a folder with a main.swift, a line below and seeds in Seeds/<name>.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: ["FuzzDriver"] + dependencies, path: name)
}

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Tillkit", path: "../..")],
  targets: [
    .target(name: "FuzzDriver", path: "FuzzDriver"),
    fuzzer(
      "FuzzHTTP",
      [
        .product(name: "Adapters", package: "Tillkit"), .product(name: "Core", package: "Tillkit"),
      ]),
    fuzzer("FuzzJSON", [.product(name: "Core", package: "Tillkit")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
