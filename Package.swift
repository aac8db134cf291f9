// swift-tools-version: 6.2
import PackageDescription

// Two graphs. The portable one holds Core and Providers: an iOS app resolves it without curl,
// OpenSSL or pkg-config. The server side adds everything that needs Linux. `TILLKIT_PORTABLE=1`
// builds the portable graph on Linux, which is how CI proves that it stands alone.
#if os(Linux)
  let serverSide = Context.environment["TILLKIT_PORTABLE"] == nil
#else
  let serverSide = Context.environment["TILLKIT_SERVER"] != nil
#endif

func module(_ layer: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Modules/\(layer)/\(name)")
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)")
}

func app(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Apps/\(name)")
}

func system(_ name: String, pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Modules/System/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt]), .brew([brew])])
}

// MARK: Core

let core: [Target] = [
  module("Core", "CheckoutLifecycle", ["PaymentModels"]),
  module(
    "Core", "CheckoutService",
    ["KitEnvironment", "PaymentModels", "PaymentStore", "ProviderInterface"]),
  module("Core", "CheckoutSession", ["CheckoutLifecycle", "KitEnvironment", "PaymentModels"]),
  module(
    "Core", "FulfilmentOutbox",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "PaymentStore", "StrictJSON"]),
  module("Core", "HTTPExchange"),
  module("Core", "KitEnvironment", ["PaymentModels"]),
  module("Core", "MerchantAPI", ["HTTPExchange", "PaymentModels", "StrictJSON"]),
  module(
    "Core", "MerchantClient",
    [
      "CheckoutLifecycle", "CheckoutSession", "HTTPExchange", "MerchantAPI", "PaymentModels",
      "StrictJSON",
    ]),
  module("Core", "PaymentModels"),
  module("Core", "PaymentStore", ["PaymentModels"]),
  module(
    "Core", "ProviderInterface",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "StrictJSON"]),
  module(
    "Core", "StatusSync",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "PaymentStore", "ProviderInterface"]),
  module("Core", "StrictJSON"),
]

// MARK: Providers

let providers: [Target] = [
  module(
    "Providers", "FutaProvider",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "StrictJSON"]),
  module(
    "Providers", "RaisProvider",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "StrictJSON"]),
  module(
    "Providers", "SEBProvider",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "StrictJSON"]),
  module(
    "Providers", "TabbyProvider",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "StrictJSON"]),
  module(
    "Providers", "TebexProvider",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "StrictJSON"]),
]

// MARK: Adapters

let adapters: [Target] = [
  module(
    "Adapters", "CurlTransport", ["CTillCurl", "HTTPExchange", "PaymentModels", "SystemRuntime"]),
  module("Adapters", "HTTPListener", ["CTillSockets", "HTTPExchange", "SystemRuntime"]),
  module(
    "Adapters", "SQLitePaymentStore",
    ["PaymentModels", "PaymentStore", "SQLiteConnection", "SystemRuntime"]),
  module("Adapters", "SystemCrypto", ["CTillCrypto", "KitEnvironment"]),
  module("Adapters", "SystemRuntime", ["CTillSockets", "KitEnvironment", "PaymentModels"]),
]

let portableAdapters: [Target] = [
  module("Adapters", "SQLiteConnection", ["CTillSQLite"]),
  module(
    "Adapters", "SQLiteDeviceStore", ["CheckoutLifecycle", "CheckoutSession", "SQLiteConnection"]),
  module("Adapters", "URLSessionTransport", ["HTTPExchange"]),
]

// MARK: Features

let features: [Target] = [
  module(
    "Features", "AppSimulator",
    [
      "CheckoutLifecycle", "CheckoutSession", "CommandLineParser", "HTTPExchange", "KitEnvironment",
      "PaymentModels", "StrictJSON",
    ]),
  module(
    "Features", "Bootstrap",
    [
      "AppSimulator", "CheckoutLifecycle", "CheckoutService", "CheckoutSession",
      "CommandLineParser", "Conformance", "CurlTransport", "Dashboard", "FulfilmentOutbox",
      "FutaProvider", "HTTPExchange", "HTTPListener", "KitEnvironment", "MerchantAPI",
      "MerchantClient", "MerchantCommands", "MerchantServer", "PaymentModels", "PaymentStore",
      "ProviderInterface", "ProviderSandbox", "RaisProvider", "SEBProvider", "Simulation",
      "SQLiteConnection", "SQLiteDeviceStore", "SQLitePaymentStore", "StatusSync", "StrictJSON",
      "SystemCrypto", "SystemRuntime", "TabbyProvider", "TebexProvider",
    ]),
  module("Features", "CommandLineParser"),
  module(
    "Features", "Conformance", ["HTTPExchange", "KitEnvironment", "PaymentModels", "StrictJSON"]),
  module(
    "Features", "Dashboard",
    [
      "HTTPExchange", "KitEnvironment", "MerchantAPI", "MerchantServer", "PaymentModels",
      "PaymentStore", "StrictJSON", "WebPages",
    ]),
  module(
    "Features", "MerchantCommands",
    [
      "CheckoutLifecycle", "CommandLineParser", "HTTPExchange", "KitEnvironment", "MerchantAPI",
      "PaymentModels", "ProviderInterface", "StrictJSON",
    ]),
  module(
    "Features", "MerchantServer",
    [
      "CheckoutService", "FulfilmentOutbox", "HTTPExchange", "KitEnvironment", "MerchantAPI",
      "PaymentModels", "PaymentStore", "ProviderInterface", "StatusSync", "StrictJSON",
    ]),
  module("Features", "PaymentOracle", ["PaymentModels", "StrictJSON"]),
  module(
    "Features", "ProviderSandbox",
    ["HTTPExchange", "KitEnvironment", "PaymentModels", "StrictJSON", "WebPages"]),
  module(
    "Features", "Simulation",
    [
      "CheckoutLifecycle", "CheckoutService", "CheckoutSession", "FulfilmentOutbox",
      "FutaProvider", "HTTPExchange", "KitEnvironment", "MerchantClient",
      "MerchantCommands", "MerchantServer", "PaymentModels", "PaymentOracle", "PaymentStore",
      "ProviderInterface", "ProviderSandbox", "RaisProvider", "SEBProvider", "SQLitePaymentStore",
      "StatusSync", "StrictJSON", "SystemRuntime", "TabbyProvider", "TebexProvider",
    ]),
  module("Features", "WebPages", ["HTTPExchange", "KitEnvironment", "PaymentModels"]),
]

// MARK: System

let portableSystem: [Target] = [
  // No pkgConfig: iOS and macOS carry sqlite3 in the SDK, Debian in the default search path.
  system("CTillSQLite", pkgConfig: nil, apt: "libsqlite3-dev", brew: "sqlite")
]

let serverSystem: [Target] = [
  system("CTillCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl"),
  system("CTillCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
  // The C library itself: no package to find, only a header to import.
  .systemLibrary(name: "CTillSockets", path: "Modules/System/CTillSockets"),
]

// MARK: Apps

let apps: [Target] = [
  app("till", ["Bootstrap"]),
  app("till-app", ["Bootstrap"]),
  app("till-server", ["Bootstrap"]),
]

// MARK: Tests

let testTargets: [Target] = [
  .target(
    name: "TestSupport",
    dependencies: [
      "CheckoutLifecycle", "CheckoutService", "CheckoutSession", "HTTPExchange", "KitEnvironment",
      "MerchantAPI", "MerchantServer", "PaymentModels", "PaymentStore", "ProviderInterface",
      "StatusSync", "StrictJSON", "SystemRuntime",
    ],
    path: "Tests/Support"),
  .target(
    name: "FuzzProperties",
    dependencies: [
      "AppSimulator", "Bootstrap", "CheckoutLifecycle", "CommandLineParser", "HTTPExchange",
      "HTTPListener", "KitEnvironment", "MerchantAPI", "MerchantCommands", "PaymentModels",
      "PaymentStore", "ProviderInterface", "Simulation", "StatusSync", "StrictJSON",
      "SystemCrypto",
    ],
    path: "Tests/FuzzProperties"),
  tests(
    "AppSimulatorTests",
    [
      "AppSimulator", "CheckoutLifecycle", "CheckoutSession", "CommandLineParser", "KitEnvironment",
      "PaymentModels", "StrictJSON", "SystemRuntime", "TestSupport",
    ]),
  tests(
    "BootstrapTests",
    [
      "Bootstrap", "CheckoutService", "CommandLineParser", "FulfilmentOutbox", "FutaProvider",
      "HTTPExchange", "HTTPListener", "KitEnvironment", "MerchantCommands", "MerchantServer",
      "PaymentModels", "PaymentStore", "ProviderInterface", "ProviderSandbox", "RaisProvider",
      "SEBProvider", "Simulation", "SQLiteConnection", "SQLitePaymentStore", "StrictJSON",
      "SystemCrypto", "SystemRuntime", "TabbyProvider", "TebexProvider", "TestSupport",
    ]),
  tests(
    "CheckoutLifecycleTests",
    ["CheckoutLifecycle", "KitEnvironment", "PaymentModels", "StrictJSON", "TestSupport"]),
  tests(
    "CheckoutServiceTests",
    [
      "CheckoutService", "HTTPExchange", "KitEnvironment", "PaymentModels", "PaymentStore",
      "ProviderInterface", "StatusSync", "StrictJSON", "TestSupport",
    ]),
  tests(
    "CheckoutSessionTests",
    ["CheckoutLifecycle", "CheckoutSession", "KitEnvironment", "PaymentModels", "TestSupport"]),
  tests("CommandLineParserTests", ["CommandLineParser", "SystemRuntime"]),
  tests(
    "ConformanceTests",
    [
      "Bootstrap", "Conformance", "HTTPExchange", "KitEnvironment", "MerchantServer",
      "PaymentModels", "PaymentStore", "ProviderSandbox", "StrictJSON", "SystemCrypto",
      "SystemRuntime", "TestSupport",
    ]),
  tests("CurlTransportTests", ["CurlTransport", "HTTPExchange", "SystemRuntime", "TestSupport"]),
  tests(
    "DashboardTests",
    [
      "Dashboard", "HTTPExchange", "KitEnvironment", "MerchantServer", "PaymentModels",
      "PaymentStore", "ProviderInterface", "StatusSync", "TestSupport",
      "WebPages",
    ]),
  tests(
    "FulfilmentOutboxTests",
    [
      "FulfilmentOutbox", "HTTPExchange", "KitEnvironment", "PaymentModels", "PaymentStore",
      "SystemCrypto", "SystemRuntime", "TestSupport",
    ]),
  tests(
    "FutaProviderTests",
    [
      "FutaProvider", "HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface",
      "TestSupport",
    ]),
  tests("FuzzPropertiesTests", ["FuzzProperties"]),
  tests("HTTPExchangeTests", ["HTTPExchange", "KitEnvironment", "TestSupport"]),
  tests("HTTPListenerTests", ["HTTPExchange", "HTTPListener", "MerchantAPI", "SystemRuntime"]),
  tests(
    "IntegrationTests",
    [
      "AppSimulator", "Bootstrap", "CheckoutLifecycle", "CheckoutSession", "CommandLineParser",
      "CurlTransport", "FulfilmentOutbox", "FutaProvider", "HTTPExchange", "HTTPListener",
      "KitEnvironment", "MerchantAPI", "MerchantClient", "MerchantCommands", "MerchantServer",
      "PaymentModels", "PaymentStore", "ProviderInterface", "ProviderSandbox", "RaisProvider",
      "SEBProvider", "SQLiteConnection", "SQLiteDeviceStore", "SQLitePaymentStore", "StatusSync",
      "StrictJSON", "SystemCrypto", "SystemRuntime", "TabbyProvider", "TebexProvider",
      "TestSupport", "till", "till-app", "till-server",
    ]),
  tests(
    "KitEnvironmentTests", ["KitEnvironment", "PaymentModels", "SystemRuntime", "TestSupport"]),
  tests(
    "MerchantAPITests",
    [
      "CheckoutService", "HTTPExchange", "MerchantAPI", "PaymentModels", "StrictJSON",
      "TestSupport",
    ]),
  tests(
    "MerchantClientTests",
    [
      "CheckoutLifecycle", "CheckoutSession", "HTTPExchange", "MerchantAPI", "MerchantClient",
      "PaymentModels", "StrictJSON", "TestSupport",
    ]),
  tests(
    "MerchantCommandsTests",
    [
      "CommandLineParser", "HTTPExchange", "KitEnvironment", "MerchantAPI", "MerchantCommands",
      "PaymentModels", "StrictJSON", "SystemRuntime", "TestSupport",
    ]),
  tests(
    "MerchantServerTests",
    [
      "CheckoutService", "HTTPExchange", "KitEnvironment", "MerchantAPI", "MerchantServer",
      "PaymentModels", "PaymentStore", "ProviderInterface", "StatusSync", "StrictJSON",
      "SystemRuntime", "TestSupport",
    ]),
  tests("PaymentModelsTests", ["KitEnvironment", "PaymentModels", "StrictJSON", "TestSupport"]),
  tests("PaymentOracleTests", ["PaymentModels", "PaymentOracle", "StrictJSON"]),
  tests("PaymentStoreTests", ["PaymentModels", "PaymentStore", "TestSupport"]),
  tests(
    "ProviderInterfaceTests",
    [
      "HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "SystemCrypto",
      "SystemRuntime", "TestSupport",
    ]),
  tests(
    "ProviderSandboxTests",
    [
      "HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderSandbox", "StrictJSON",
      "TestSupport",
    ]),
  tests(
    "RaisProviderTests",
    [
      "HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "RaisProvider",
      "TestSupport",
    ]),
  tests(
    "SEBProviderTests",
    [
      "HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "SEBProvider",
      "SystemRuntime", "TestSupport",
    ]),
  tests("SQLiteConnectionTests", ["SQLiteConnection", "SystemRuntime", "TestSupport"]),
  tests(
    "SQLiteDeviceStoreTests",
    [
      "CheckoutLifecycle", "CheckoutSession", "KitEnvironment", "PaymentModels",
      "SQLiteConnection", "SQLiteDeviceStore", "SystemRuntime", "TestSupport",
    ]),
  tests(
    "SQLitePaymentStoreTests",
    [
      "PaymentModels", "PaymentStore", "SQLiteConnection", "SQLitePaymentStore", "SystemRuntime",
      "TestSupport",
    ]),
  tests(
    "SimulationTests",
    [
      "CheckoutLifecycle", "CheckoutSession", "FulfilmentOutbox", "HTTPExchange",
      "KitEnvironment", "MerchantServer", "PaymentModels", "PaymentOracle", "PaymentStore",
      "ProviderInterface", "Simulation", "StrictJSON", "SystemCrypto", "SystemRuntime",
      "TestSupport",
    ]),
  tests(
    "StatusSyncTests",
    [
      "HTTPExchange", "KitEnvironment", "PaymentModels", "PaymentStore", "ProviderInterface",
      "StatusSync", "StrictJSON", "SystemRuntime", "TestSupport",
    ]),
  tests("StrictJSONTests", ["KitEnvironment", "StrictJSON", "TestSupport"]),
  tests("SystemCryptoTests", ["KitEnvironment", "SystemCrypto"]),
  tests("SystemRuntimeTests", ["KitEnvironment", "PaymentModels", "SystemRuntime", "TestSupport"]),
  tests(
    "TabbyProviderTests",
    [
      "HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "StrictJSON",
      "TabbyProvider", "TestSupport",
    ]),
  tests(
    "TebexProviderTests",
    [
      "HTTPExchange", "KitEnvironment", "PaymentModels", "ProviderInterface", "SystemCrypto",
      "TebexProvider", "TestSupport",
    ]),
  tests("TidyTests", []),
  tests("URLSessionTransportTests", ["HTTPExchange", "URLSessionTransport", "TestSupport"]),
  tests("WebPagesTests", ["HTTPExchange", "KitEnvironment", "TestSupport", "WebPages"]),
]

let serverProducts: [Product] = [
  .executable(name: "till", targets: ["till"]),
  .executable(name: "till-app", targets: ["till-app"]),
  .executable(name: "till-server", targets: ["till-server"]),
]

// Each module is a product of its own, so that who takes one links no other's libraries; three
// names stand for all of a layer.
let modules = core + providers + portableAdapters + (serverSide ? adapters + features : [])

// What the fuzz program of Tests/Fuzz puts its inputs through; no product of the kit.
let fuzzProducts: [Product] =
  Context.environment["TILLKIT_FUZZ"] == nil
  ? [] : [.library(name: "FuzzProperties", targets: ["FuzzProperties"])]

let package = Package(
  name: "Tillkit",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .library(
      name: "Adapters", targets: (portableAdapters + (serverSide ? adapters : [])).map(\.name)),
    .library(name: "Core", targets: core.map(\.name)),
    .library(name: "Providers", targets: providers.map(\.name)),
  ] + modules.map { .library(name: $0.name, targets: [$0.name]) }
    + (serverSide ? serverProducts + fuzzProducts : []),
  traits: [
    .trait(
      name: "FaultInjection",
      description: "Seeds faults for till-app mutants; never on in anything that is shipped.")
  ],
  targets: core + providers + portableAdapters + portableSystem
    + (serverSide ? adapters + features + serverSystem + apps + testTargets : []),
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = [
    .strictMemorySafety(),  // SE-0458
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
  ]
  // Raised with the toolchain: an unknown future compiler may warn about what was fine before.
  #if compiler(<6.4)
    settings.append(.treatAllWarnings(as: .error))  // SE-0443
  #endif
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
