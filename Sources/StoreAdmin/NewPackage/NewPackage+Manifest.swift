extension NewPackage {
    /// The manifest.
    var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let contextCore = Target.Dependency.product(name: "ContextCore", package: "ContextCore")
        let backends: [Target.Dependency] = [
            .product(name: "SQLiteBackend", package: "ContextCore"),
            .product(name: "PostgresBackend", package: "ContextCore"),
        ]

        let package = Package(
            name: "\(name)",
            dependencies: [
                \(dependency.declaration)
            ],
            targets: [
                .target(name: "Model", dependencies: [contextCore]),
                .executableTarget(name: "\(name)", dependencies: ["Model", contextCore] + backends),
                .executableTarget(
                    name: "\(name)Tool",
                    dependencies: ["Model", .product(name: "StoreAdmin", package: "ContextCore")] + backends),
                .testTarget(name: "ModelTests", dependencies: ["Model", contextCore]),
            ]
        )

        """
    }
}
