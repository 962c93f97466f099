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

    var readMe: String {
        """
        # \(name)

        Keeps notes with [ContextCore](\(PackageDependency.url)), in a SQLite file or on a PostgreSQL server.

        | file | contents |
        | --- | --- |
        | `Sources/Model` | the classes of the model |
        | `Sources/\(name)` | the program |
        | `Sources/\(name)Tool` | the commands of `storectl`, with this model |
        | `Tests/ModelTests` | tests on a store in memory |
        | `storectl.json` | the names of the stores; the program opens the default one |
        | `docker-compose.yml` | a PostgreSQL server for development |

        The libraries need the headers of both databases: `apt install libsqlite3-dev libpq-dev pkg-config`.

        ## Run it

        ```sh
        \(line("export SWIFT_DETERMINISTIC_HASHING=1", "or SwiftPM up to 6.3 rebuilds everything now and then"))
        \(backend == .postgres ? startingServer + "\n" : "")\
        \(line("swift run \(name) Read the tutorial", "adds a note, and prints all"))
        swift test
        ```

        ## Look at the store

        ```sh
        \(line("swift run \(name)Tool status", "model, objects, and the next command to run"))
        swift run \(name)Tool query Note -f text,notebook.name
        \(line("swift run \(name)Tool check", "damage, and objects that violate the model"))
        \(line("swift run \(name)Tool help", "all commands"))
        ```

        ## Change the model

        If a migration loses no data, opening a store in a file migrates it. Otherwise, and on a server:

        ```sh
        swift run \(name)Tool migrate plan
        swift run \(name)Tool migrate apply
        ```

        ## \(backend == .sqlite ? "Move to PostgreSQL" : "Copy to a file")

        ```sh
        \(backend == .sqlite ? startingServer + "\n" : "")\
        \(line("swift run \(name)Tool data copy \(copied)", "verified value by value"))
        STORECTL_STORE=\(backend == .sqlite ? "server" : "dev") swift run \(name)
        ```

        """
    }

    private var startingServer: String {
        line("docker compose up --wait", "starts the server of docker-compose.yml")
    }

    /// The default store and the other one.
    private var copied: String { backend == .sqlite ? "dev server" : "server dev" }

    /// Returns a command with its comment, which begins in the same column for all commands.
    private func line(_ command: String, _ comment: String) -> String {
        let width = "swift run Tool query Note -f text,notebook.name".count + name.count
        return command + String(repeating: " ", count: max(0, width - command.count)) + "  # " + comment
    }
}
