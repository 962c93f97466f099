// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The functions of libsqlite3 and libpq whose calls are counted on both sides: see `counting.c`.
let counted = [
    "sqlite3_step", "sqlite3_exec", "PQgetResult", "PQsendQuery", "PQsendQueryParams", "PQsendPrepare",
    "PQsendQueryPrepared", "PQpipelineSync", "PQputCopyEnd",
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS("15.4")],
    dependencies: [.package(name: "ContextCore", path: "..")],
    targets: [
        .systemLibrary(
            name: "libpq", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev", "pkg-config"]), .brew(["libpq"])]),
        .target(
            name: "CBaseline", dependencies: ["libpq"], linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "storebench",
            dependencies: [
                "CBaseline",
                .product(name: "ContextCore", package: "ContextCore"),
                .product(name: "SQLiteBackend", package: "ContextCore"),
                .product(name: "PostgresBackend", package: "ContextCore"),
            ],
            swiftSettings: settings,
            linkerSettings: [
                .unsafeFlags(counted.flatMap { ["-Xlinker", "--wrap=\($0)"] }, .when(platforms: [.linux]))
            ]),
    ],
    swiftLanguageModes: [.v6]
)
