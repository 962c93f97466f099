import ContextCore

/// Prints the versions of the package and of the C libraries in the program.
struct VersionCommand: Command {
    let declaration = CommandDeclaration(
        words: ["version"], abstract: "Prints the versions of storectl and of its libraries.",
        examples: [
            .init(words: "version", help: "For a bug report."),
            .init(words: "version --json", help: "For a program."),
        ], takesTenant: false, exitCodes: [])

    func run(_ call: CommandCall) throws -> Report {
        let libraries = call.tool.libraries
        let json = libraries.map {
            JSONValue.object(["name": .string($0.name), "version": .string($0.version)])
        }
        return Report(
            "version", ["version": .string(StoreAdmin.packageVersion), "libraries": .array(json)]
        ) { _ in
            "storectl \(StoreAdmin.packageVersion)\n"
                + libraries.map { "\($0.name) \($0.version)\n" }.joined()
        }
    }
}
