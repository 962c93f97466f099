// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

#if canImport(MachO)
import MachO
#endif

// Every target is one entry below. Adding one: its line in `targets`, and in `products` when others may import it.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "ContextCore",
    // The runtime of macOS 15.4 is the first with isolated deinitializers.
    platforms: [.macOS("15.4")],
    products: [
        .library(name: "ContextCore", targets: ["ContextCore"]),
        .library(name: "SQLiteBackend", targets: ["SQLiteBackend"]),
        .library(name: "PostgresBackend", targets: ["PostgresBackend"]),
        .library(name: "StoreConformance", targets: ["StoreConformance"]),
        .library(name: "StoreAdmin", targets: ["StoreAdmin"]),
        .library(name: "StoreObservability", targets: ["StoreObservability"]),
        .executable(name: "storectl", targets: ["storectl"]),
    ],
    traits: [
        .default(enabledTraits: ["SQLite", "Postgres"]),
        .trait(name: "SQLite", description: "Stores in SQLite files; needs libsqlite3 and its headers."),
        .trait(name: "Postgres", description: "Stores on PostgreSQL servers; needs libpq and its headers."),
        .trait(name: "Logging", description: "StoreObservability writes to swift-log."),
        .trait(name: "Metrics", description: "StoreObservability records with swift-metrics."),
        .trait(name: "Tracing", description: "StoreObservability makes spans of swift-distributed-tracing."),
        .trait(name: "ServiceLifecycle", description: "A Store is a Service of swift-service-lifecycle."),
        .trait(
            name: "LineEditing",
            description: "Line editing and completion in storectl's shell; needs libedit and its headers."),
        .trait(
            name: "Studio",
            description: "The command studio, a page that shows a store; needs libmicrohttpd and its headers."
        ),
    ],
    dependencies: SwiftSyntaxSource.current.packageDependencies + [
        // SwiftPM fetches each of them only if its trait is enabled.
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev", "pkg-config"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev", "pkg-config"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CEditLine", pkgConfig: "libedit",
            providers: [.apt(["libedit-dev", "pkg-config"]), .brew(["libedit"])]),
        .systemLibrary(
            name: "CMicrohttpd", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev", "pkg-config"]), .brew(["libmicrohttpd"])]),
        .target(
            name: "MacroExpansion",
            dependencies: SwiftSyntaxSource.current.targetDependencies,
            swiftSettings: settings + SwiftSyntaxSource.current.swiftSettings,
            linkerSettings: SwiftSyntaxSource.current.linkerSettings),
        // No test depends on it, so that nothing is compiled twice: see Sources/ContextMacros/Plugin.swift.
        .macro(
            name: "ContextMacros",
            dependencies: ["MacroExpansion"] + SwiftSyntaxSource.current.targetDependencies,
            swiftSettings: settings + SwiftSyntaxSource.current.swiftSettings,
            linkerSettings: SwiftSyntaxSource.current.linkerSettings),
        .target(name: "ContextCore", dependencies: ["ContextMacros"], swiftSettings: settings),
        .target(name: "SQLStore", dependencies: ["ContextCore"], swiftSettings: settings),
        .target(
            name: "SQLiteBackend",
            dependencies: [
                "ContextCore", "SQLStore", .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: settings),
        .target(
            name: "PostgresBackend",
            dependencies: [
                "ContextCore", "SQLStore", .target(name: "CPostgres", condition: .when(traits: ["Postgres"])),
            ],
            swiftSettings: settings),
        .target(name: "StoreConformance", dependencies: ["ContextCore"], swiftSettings: settings),
        .target(
            name: "LoopbackServer",
            dependencies: [.target(name: "CMicrohttpd", condition: .when(traits: ["Studio"]))],
            swiftSettings: settings),
        // The page's files as constants: the C compiler embeds them in a fraction of a second, an array literal in Swift takes a minute.
        .target(name: "CStudioPage"),
        .target(
            name: "StudioPage", dependencies: ["CStudioPage"], exclude: ["Page"], swiftSettings: settings),
        .target(
            name: "StoreAdmin",
            dependencies: [
                "ContextCore", "LoopbackServer",
                .target(name: "CEditLine", condition: .when(traits: ["LineEditing"])),
                .target(name: "StudioPage", condition: .when(traits: ["Studio"])),
            ],
            swiftSettings: settings),
        .target(
            name: "StoreObservability",
            dependencies: [
                "ContextCore",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Tracing"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "storectl",
            dependencies: [
                "StoreAdmin", "ContextCore",
                .target(name: "SQLiteBackend", condition: .when(traits: ["SQLite"])),
                .target(name: "PostgresBackend", condition: .when(traits: ["Postgres"])),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MacroExpansionTests", dependencies: ["MacroExpansion", "ContextCore", "ChildProcesses"],
            swiftSettings: settings + SwiftSyntaxSource.current.swiftSettings),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "StoreConformance", "SQLiteBackend", "PostgresBackend", "SQLStore", "ContextCore",
                "ChildProcesses", "RandomSeeds", "OrderChecking",
            ],
            exclude: ["Graphs/Planted"],
            swiftSettings: settings),
        .testTarget(
            name: "ContextCoreTests", dependencies: ["ContextCore", "ChildProcesses", "RandomSeeds"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DocumentationTests", dependencies: ["ChildProcesses", "storectl"], swiftSettings: settings),
        .testTarget(name: "PackageTests", dependencies: ["StoreAdmin"], swiftSettings: settings),
        .testTarget(
            name: "SQLStoreTests",
            dependencies: ["SQLStore", "SQLiteBackend", "PostgresBackend", "ContextCore", "RandomSeeds"],
            swiftSettings: settings),
        .target(
            name: "CFaultyFiles",
            dependencies: [.target(name: "CSQLite", condition: .when(traits: ["SQLite"]))],
            path: "Tests/CFaultyFiles",
            cSettings: [.define("HAS_SQLITE", .when(traits: ["SQLite"]))]),
        .executableTarget(
            name: "StoreUser",
            dependencies: [
                "ContextCore", .target(name: "SQLiteBackend", condition: .when(traits: ["SQLite"])),
                .target(name: "PostgresBackend", condition: .when(traits: ["Postgres"])),
            ],
            path: "Tests/StoreUser", swiftSettings: settings),
        .target(name: "ChildProcesses", path: "Tests/ChildProcesses", swiftSettings: settings),
        .target(name: "RandomSeeds", path: "Tests/RandomSeeds", swiftSettings: settings),
        .target(
            name: "TestDatabases",
            dependencies: [
                "ContextCore", .target(name: "PostgresBackend", condition: .when(traits: ["Postgres"])),
            ],
            path: "Tests/TestDatabases", swiftSettings: settings),
        .target(
            name: "OrderChecking", dependencies: ["SQLStore", "ContextCore", "RandomSeeds"],
            path: "Tests/OrderChecking", swiftSettings: settings),
        .executableTarget(
            name: "ScheduleRunner", dependencies: ["OrderChecking"],
            path: "Tests/ScheduleRunner", swiftSettings: settings),
        .testTarget(
            name: "SharedStoreTests",
            dependencies: ["ContextCore", "SQLiteBackend", "PostgresBackend", "StoreUser", "ChildProcesses"],
            swiftSettings: settings),
        .testTarget(
            name: "SQLiteBackendTests",
            dependencies: [
                "SQLiteBackend", "SQLStore", "ContextCore", "CFaultyFiles", "StoreUser", "ChildProcesses",
                "RandomSeeds",
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PostgresBackendTests",
            dependencies: [
                "PostgresBackend", "SQLStore", "StoreConformance", "ContextCore", "ChildProcesses",
                "RandomSeeds",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DifferentialTests", dependencies: ["SQLiteBackend", "PostgresBackend", "ContextCore"],
            swiftSettings: settings),
        .executableTarget(
            name: "StoreMover",
            dependencies: [
                "ContextCore",
                .target(name: "SQLiteBackend", condition: .when(traits: ["SQLite"])),
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
                .target(name: "PostgresBackend", condition: .when(traits: ["Postgres"])),
            ],
            path: "Tests/StoreMover", swiftSettings: settings),
        .testTarget(
            name: "MigrationTests",
            dependencies: [
                "StoreMover", "SQLStore", "ContextCore", "SQLiteBackend", "PostgresBackend", "StoreAdmin",
                "ChildProcesses", "RandomSeeds", "TestDatabases", "storectl",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "StoreAdminTests",
            dependencies: [
                "StoreAdmin", "LoopbackServer", "ContextCore", "SQLiteBackend", "PostgresBackend",
                "ChildProcesses",
                "RandomSeeds",
                "TestDatabases", "storectl",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LoopbackServerTests", dependencies: ["LoopbackServer", "StudioPage", "RandomSeeds"],
            swiftSettings: settings),
        // These tests start a storectl that was built with the trait Studio: see scripts/check-studio.sh.
        .testTarget(
            name: "StudioTests", dependencies: ["ChildProcesses", "RandomSeeds"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

/// Says where the macros' SwiftSyntax modules come from.
///
/// The toolchain ships them built, beside its compiler: that builds in a second and needs no network, but it takes
/// flags that SwiftPM forbids in a package fetched by URL. So a checkout that SwiftPM made takes the `swift-syntax`
/// package, and everything else (this clone, a package that depends on it by path) takes the toolchain's.
enum SwiftSyntaxSource {
    /// The toolchain's modules, in its folder `lib/swift/host`.
    case toolchain(host: String)
    /// The `swift-syntax` package.
    case package

    static let current: SwiftSyntaxSource = {
        guard !isCheckoutOfURL(Context.packageDirectory), let host = toolchainModules() else {
            return .package
        }
        return .toolchain(host: host)
    }()

    private static let modules = [
        "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion", "SwiftSyntaxBuilder",
        "SwiftDiagnostics",
        "SwiftParser", "SwiftBasicFormat", "SwiftOperators", "SwiftCompilerPluginMessageHandling",
    ]

    var packageDependencies: [Package.Dependency] {
        guard case .package = self else { return [] }
        return [.package(url: "https://github.com/swiftlang/swift-syntax.git", "602.0.0"..<"604.0.0")]
    }

    var targetDependencies: [Target.Dependency] {
        guard case .package = self else { return [] }
        let products = Self.modules.map { $0 == "SwiftCompilerPluginMessageHandling" ? "_\($0)" : $0 }
        return products.map { .product(name: $0, package: "swift-syntax") }
    }

    var swiftSettings: [SwiftSetting] {
        guard case .toolchain(let host) = self else { return [] }
        return [.unsafeFlags(["-I", host])]
    }

    var linkerSettings: [LinkerSetting] {
        guard case .toolchain(let host) = self else { return [] }
        let search = ["-L", host, "-Xlinker", "-rpath", "-Xlinker", host]
        return [.unsafeFlags(search + Self.modules.map { "-l\($0)" })]
    }

    /// Whether SwiftPM made the folder from a URL.
    ///
    /// While it resolves versions it reads manifests straight out of the repository, and calls the folder `/`.
    /// Later the package stands in `checkouts`, beside `repositories`; one from a registry in `registry/downloads`.
    private static func isCheckoutOfURL(_ directory: String) -> Bool {
        if directory == "/" || directory.contains("/registry/downloads/") { return true }
        let parent = URL(fileURLWithPath: directory).deletingLastPathComponent()
        let repositories = parent.deletingLastPathComponent().appendingPathComponent("repositories")
        return parent.lastPathComponent == "checkouts"
            && FileManager.default.fileExists(atPath: repositories.path)
    }

    /// Returns the folder with the modules of the toolchain that reads this manifest.
    ///
    /// That toolchain's PackageDescription library is loaded into this process, from `lib/swift/pm/ManifestAPI`.
    private static func toolchainModules() -> String? {
        let roots = loadedFiles().compactMap { file in
            file.range(of: "/lib/swift/pm/ManifestAPI/").map { String(file[..<$0.lowerBound]) }
        }
        return Set(roots).sorted().map { $0 + "/lib/swift/host" }.first { host in
            modules.allSatisfy { module in
                ["\(module).swiftmodule", "lib\(module).\(libraryExtension)"].allSatisfy {
                    FileManager.default.fileExists(atPath: "\(host)/\($0)")
                }
            }
        }
    }

    #if canImport(Darwin)
    private static let libraryExtension = "dylib"
    #else
    private static let libraryExtension = "so"
    #endif

    private static func loadedFiles() -> [String] {
        #if canImport(Darwin)
        return (0..<_dyld_image_count()).compactMap { _dyld_get_image_name($0).map { String(cString: $0) } }
        #else
        // Read to its end by hand: the kernel gives this file's size as 0, and String(contentsOfFile:) stops early.
        let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        let lines = String(decoding: maps ?? Data(), as: UTF8.self).split(separator: "\n")
        return lines.compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
        #endif
    }
}
