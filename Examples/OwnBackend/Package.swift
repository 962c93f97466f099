// swift-tools-version: 6.2
import PackageDescription

// A backend as somebody else would write it: in a package of its own, held to the same promises as ours.

let package = Package(
    name: "OwnBackend",
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
