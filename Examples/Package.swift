// swift-tools-version: 6.2
import PackageDescription

// Programs to run and to read. They depend on the package by path and use only its products.

let package = Package(
    name: "Examples",
    platforms: [.macOS("15.4")],
    // For Server, which is a separate package because it needs the network.
    products: [.library(name: "Model", targets: ["Model"])],
    dependencies: [.package(name: "ContextCore", path: "..")],
    targets: [
        .executableTarget(
            name: "Games",
            dependencies: [
                .product(name: "ContextCore", package: "ContextCore"),
                .product(name: "SQLiteBackend", package: "ContextCore"),
                .product(name: "PostgresBackend", package: "ContextCore"),
            ],
            path: "Games"),
        .testTarget(name: "GamesTests", dependencies: ["Games"], path: "GamesTests"),
        .executableTarget(
            name: "GamesTool",
            dependencies: [
                .product(name: "ContextCore", package: "ContextCore"),
                .product(name: "SQLiteBackend", package: "ContextCore"),
                .product(name: "PostgresBackend", package: "ContextCore"),
                .product(name: "StoreAdmin", package: "ContextCore"),
            ],
            path: "GamesTool"),
        // The finished form of the tutorial: Sources/ContextCore/ContextCore.docc/tutorial-1-model.md.
        .target(
            name: "Model", dependencies: [.product(name: "ContextCore", package: "ContextCore")],
            path: "ChessClub/Model"),
        .executableTarget(
            name: "Chess",
            dependencies: [
                "Model",
                .product(name: "PostgresBackend", package: "ContextCore"),
                .product(name: "SQLiteBackend", package: "ContextCore"),
            ],
            path: "ChessClub/Chess"),
        .executableTarget(
            name: "ChessTool",
            dependencies: [
                "Model",
                .product(name: "SQLiteBackend", package: "ContextCore"),
                .product(name: "PostgresBackend", package: "ContextCore"),
                .product(name: "StoreAdmin", package: "ContextCore"),
            ],
            path: "ChessClub/ChessTool"),
        .executableTarget(
            name: "Jobs",
            dependencies: [
                .product(name: "ContextCore", package: "ContextCore"),
                .product(name: "SQLiteBackend", package: "ContextCore"),
                .product(name: "PostgresBackend", package: "ContextCore"),
            ],
            path: "Jobs"),
        .testTarget(name: "JobsTests", dependencies: ["Jobs"], path: "JobsTests"),
        .executableTarget(
            name: "Scaling", dependencies: [.product(name: "ContextCore", package: "ContextCore")],
            path: "Scaling"),
    ],
    swiftLanguageModes: [.v6]
)
