extension NewPackage {
    /// The README, with the commands for the package's own tool.
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

        \(dependencyText)
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

        To keep the versions of the model in files, with a reviewed migration between them, use `\(name)Tool migrate dev` instead:
        from then on each change of the model needs it.

        ## \(backend == .sqlite ? "Move to PostgreSQL" : "Copy to a file")

        ```sh
        \(backend == .sqlite ? startingServer + "\n" : "")\
        \(line("swift run \(name)Tool data copy \(copied)", "verified value by value"))
        STORECTL_STORE=\(backend == .sqlite ? "server" : "dev") swift run \(name)
        ```

        \(ownServerText)
        """
    }

    /// The section about a server that the package doesn't start.
    private var ownServerText: String {
        """
        ## Use a server that exists already

        Without Docker, write the address of your server into `storectl.json`, as the store `server`:
        `"postgres://USER@HOST:5432/\(storeName)"`. The password belongs in `PGPASSWORD` or `~/.pgpass`. Then:

        ```sh
        \(line("swift run \(name)Tool db create -s server", "creates the database if it is missing, and the store"))
        \(backend == .sqlite ? line("swift run \(name)Tool data copy dev server", "moves the objects, before the first run") + "\n" : "")\
        STORECTL_STORE=server swift run \(name)
        ```

        Both programs open the store that an environment variable selects: `STORECTL_URL`, an address, or `STORECTL_STORE`, a name;
        else `DATABASE_URL`, an address. If none is set, they open the default of `storectl.json`.

        """
    }

    /// The paragraphs about the dependency on ContextCore.
    private var dependencyText: String {
        let clone = """
            ```swift
            \(PackageDependency.cloneDeclaration("../ContextCore"))
            ```

            """
        let repository = """
            ```swift
            \(PackageDependency.repositoryDeclaration)
            ```

            """
        return switch dependency {
        case .clone(let path):
            """
            `Package.swift` depends on the clone of ContextCore in `\(path)`, by an absolute path, which other machines don't
            have. Move the clone beside this folder and write a relative path:

            \(clone)
            or depend on a release:

            \(repository)
            """
        case .nearbyClone(_, let path):
            """
            `Package.swift` depends on the clone of ContextCore in `\(path)`, relative to this folder. Another machine needs a
            clone in that place too. If you move either folder, change the path, or depend on a release:

            \(repository)
            """
        case .repository:
            """
            `Package.swift` depends on a release of ContextCore. To depend on a clone beside this folder, write:

            \(clone)
            """
        }
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
