import ContextCore

/// Prints the versions of the program, of ContextCore, and of the C libraries in the program.
struct VersionCommand: Command {
    let declaration = CommandDeclaration(
        words: ["version"], abstract: "Prints the versions of the program and of its libraries.",
        discussion: """
            An application's own tool prints its name, and its version if it has one, above the version of ContextCore. The
            version of storectl is that of ContextCore.
            """,
        examples: [
            .init(words: "version", help: "For a bug report."),
            .init(words: "version --json", help: "For a program."),
        ], takesTenant: false, exitCodes: [])

    func run(_ call: CommandCall) throws -> Report {
        let tool = call.tool
        let libraries = tool.allLibraries
        let package = tool.isApplications ? ["ContextCore \(StoreAdmin.packageVersion)"] : []
        let lines = [tool.product] + package + libraries.map { "\($0.name) \($0.version)" }
        return Report(
            "version",
            [
                "tool": .object([
                    "name": .string(tool.name), "version": tool.version.map(JSONValue.string) ?? .null,
                ]),
                "version": .string(StoreAdmin.packageVersion),
                "libraries": .array(
                    libraries.map {
                        .object(["name": .string($0.name), "version": .string($0.version)])
                    }),
            ]
        ) { _ in lines.map { $0 + "\n" }.joined() }
    }
}
