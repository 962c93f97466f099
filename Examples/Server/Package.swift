// swift-tools-version: 6.2
import PackageDescription

// The tutorial's chess club behind an HTTP API on Hummingbird. It needs the network, so only a separate job builds it.

let package = Package(
    name: "Server",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ContextCore", path: "../.."),
        .package(name: "Examples", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.26.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    ],
    targets: [
        .executableTarget(
            name: "ClubServer",
            dependencies: [
                .product(name: "ContextCore", package: "ContextCore"),
                .product(name: "SQLiteBackend", package: "ContextCore"),
                .product(name: "PostgresBackend", package: "ContextCore"),
                .product(name: "Model", package: "Examples"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "ClubServerTests",
            dependencies: ["ClubServer", .product(name: "HummingbirdTesting", package: "hummingbird")]),
    ],
    swiftLanguageModes: [.v6]
)
