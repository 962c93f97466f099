import ContextCore
import Foundation

/// Creates the package of a new program.
struct NewCommand: Command {
    let declaration = CommandDeclaration(
        words: ["new"], abstract: "Creates a package with a model, a program, its own tool, and tests.",
        discussion: """
            The package builds and runs without changes. Its program opens the default store of its storectl.json: a SQLite
            file, or with --backend postgres the server of its docker-compose.yml. If the folder already exists, the command
            fails and creates nothing.

            The package depends on the clone of ContextCore that this program was built in, or else on the repository. The path
            of a clone is relative if the clone is beside the package, or if the folder around one of them contains the other;
            else it is absolute, and has to be changed on other machines.
            """,
        operands: [
            .init(name: "NAME", help: "The name of the package, its folder and its program, such as Notes.")
        ],
        options: [
            .option(
                "backend", nil, "BACKEND", "The default store: sqlite (the default) or postgres.",
                choices: NewPackage.Backend.allCases.map(\.rawValue)),
            .option("package", nil, "PATH", "The folder of a clone of ContextCore to depend on."),
        ],
        examples: [
            .init(words: "new Notes", help: "Creates the folder Notes. Then: cd Notes, swift run Notes."),
            .init(words: "new Notes --backend postgres", help: "With a store on a server."),
            .init(words: "new Notes --package ../ContextCore", help: "Depends on a clone on this machine."),
        ], takesTenant: false, exitCodes: [.cannotCreate, .inputMissing])

    func run(_ call: CommandCall) throws -> Report {
        let name = call.arguments.operands[0]
        try NewPackage.checkName(name)
        let environment = call.tool.environment
        let dependency: PackageDependency
        if let path = call.arguments["package"] {
            dependency = try .clone(in: environment.resolved(path))
        } else {
            dependency = call.tool.clone.map { .clone($0) } ?? .repository
        }
        let folder = environment.resolved(name)
        let backend = call.arguments["backend"].flatMap(NewPackage.Backend.init) ?? .sqlite
        let package = NewPackage(name: name, backend: backend, dependency: dependency.located(from: folder))
        try package.write(to: URL(fileURLWithPath: folder))
        let paths = package.files.map { "\(name)/\($0.path)" }
        return Report(
            "new",
            [
                "folder": .string(folder), "dependency": .string(dependency.location),
                "made": .array(paths.map(JSONValue.string)),
            ]
        ) { _ in
            paths.map { "created \($0)\n" }.joined() + Self.nextSteps(package)
        }
    }

    private static func nextSteps(_ package: NewPackage) -> String {
        let server =
            package.backend == .postgres
            ? "  docker compose up --wait    # or write the address of your own server into storectl.json\n"
            : ""
        return "\n\(package.dependency.explanation)\n\nTo run the program:\n  cd \(package.name)\n\(server)"
            + "  swift run \(package.name)\n"
    }
}
