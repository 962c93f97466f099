/// Prints the versions of the package and of the C libraries in the program.
struct VersionCommand: Command {
    let name = "version"
    let abstract = "Prints the versions of storectl and of the libraries in it."

    let packageVersion: String
    let libraries: [LinkedLibrary]

    func run(_ words: [String]) -> CommandOutcome {
        guard words.isEmpty else { return .usage("'version' takes no arguments.") }
        let lines = ["storectl \(packageVersion)"] + libraries.map { "\($0.name) \($0.version)" }
        return CommandOutcome(output: lines.joined(separator: "\n") + "\n")
    }
}
