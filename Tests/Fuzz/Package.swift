// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because its program links only with libFuzzer: `Scripts/fuzz` knows the
// flags. What is fuzzed is a list of the kit's own, in Tests/FuzzProperties.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Tillkit", path: "../..")],
  targets: [
    .executableTarget(
      name: "Fuzz", dependencies: [.product(name: "FuzzProperties", package: "Tillkit")],
      path: "Fuzz")
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
