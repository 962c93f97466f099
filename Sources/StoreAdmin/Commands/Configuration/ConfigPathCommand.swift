import ContextCore

/// Prints the paths of the configuration files.
struct ConfigPathCommand: Command {
    let declaration = CommandDeclaration(
        words: ["config", "path"],
        abstract: "Prints the configuration files in use, the nearest first.",
        examples: [.init(words: "config path", help: "Shows which file to edit.")], takesTenant: false,
        exitCodes: [.inputMissing, .configuration])

    func run(_ call: CommandCall) throws -> Report {
        let files = try call.tool.configuration(file: call.arguments["config"]).files
        guard !files.isEmpty else {
            throw AdminError(
                code: "SC1006", exit: .inputMissing, message: "no configuration file was found.",
                hint: "Create \(ConfigurationNames.file) in this folder or in a folder above it.")
        }
        return Report("config.path", ["files": .array(files.map(JSONValue.string))]) { _ in
            files.map { $0 + "\n" }.joined()
        }
    }
}
