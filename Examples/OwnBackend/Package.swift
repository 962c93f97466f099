// swift-tools-version: 6.2
import PackageDescription

// A third-party backend: in its own package, tested with the same conformance suite as the library's backends.

let package = Package(
    name: "OwnBackend",
    platforms: [.macOS("15.4")],
    products: [.library(name: "OwnBackend", targets: ["OwnBackend"])],
    dependencies: [.package(name: "ContextCore", path: "../..")],
    targets: [
        .target(name: "OwnBackend", dependencies: [.product(name: "ContextCore", package: "ContextCore")]),
        .testTarget(
            name: "OwnBackendTests",
            dependencies: ["OwnBackend", .product(name: "StoreConformance", package: "ContextCore")]),
    ],
    swiftLanguageModes: [.v6]
)
