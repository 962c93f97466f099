// swift-tools-version: 6.2
import PackageDescription

// The adapters of StoreObservability, tested with the packages that they adapt to. They are a package of their own, because SwiftPM has to
// fetch those packages: `scripts/check-adapters.sh`.

let package = Package(
    name: "Adapters",
    dependencies: [
        .package(
            name: "ContextCore", path: "../..",
            traits: ["SQLite", "Logging", "Metrics", "Tracing", "ServiceLifecycle"]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
    ],
    targets: [
        .testTarget(
            name: "AdapterTests",
            dependencies: [
                .product(name: "ContextCore", package: "ContextCore"),
                .product(name: "SQLiteBackend", package: "ContextCore"),
                .product(name: "StoreObservability", package: "ContextCore"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "AdapterTests")
    ],
    swiftLanguageModes: [.v6]
)
