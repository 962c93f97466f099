// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "ContextCore", path: "..")],
    targets: [
        .target(
            name: "CBaseline", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "storebench",
            dependencies: [
                "CBaseline",
                .product(name: "ContextCore", package: "ContextCore"),
                .product(name: "SQLiteBackend", package: "ContextCore"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
