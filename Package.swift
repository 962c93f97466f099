// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let host = "/opt/swift/usr/lib/swift/host"

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "ContextCore",
    products: [
        .library(name: "ContextCore", targets: ["ContextCore"])
    ],
    targets: [
        .macro(
            name: "ContextMacros",
            swiftSettings: settings + [.unsafeFlags(["-I", host])],
            linkerSettings: [
                .unsafeFlags([
                    "-L", host, "-Xlinker", "-rpath", "-Xlinker", host,
                    "-lSwiftSyntax", "-lSwiftSyntaxMacros", "-lSwiftSyntaxMacroExpansion",
                    "-lSwiftSyntaxBuilder",
                    "-lSwiftCompilerPluginMessageHandling", "-lSwiftDiagnostics", "-lSwiftParser",
                    "-lSwiftBasicFormat",
                    "-lSwiftOperators",
                ])
            ]
        ),
        .target(name: "ContextCore", dependencies: ["ContextMacros"], swiftSettings: settings),
        .testTarget(name: "ContextCoreTests", dependencies: ["ContextCore"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
