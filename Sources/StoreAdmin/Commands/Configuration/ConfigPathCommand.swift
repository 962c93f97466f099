import ContextCore

/// Prints which files were read.
struct ConfigPathCommand: Command {
    let declaration = CommandDeclaration(
        words: ["config", "path"],
        abstract: "Prints the configuration files that were read, the nearest first.",
        examples: [.init(words: "config path", help: "Says which file to edit.")], takesTenant: false,
        exits: [.inputMissing, .configuration])

    func run(_ call: CommandCall) throws -> Report {
        let files = try call.tool.configuration(file: call.arguments["config"]).files
        guard !files.isEmpty else {
            throw AdminError(
                code: "SC1006", exit: .inputMissing, message: "no configuration file was found.",
                hint: "Write \(ConfigurationNames.file) in this folder or in one above it.")
        }
        return Report("config.path", ["files": .array(files.map(JSONValue.string))]) { _ in
            files.map { $0 + "\n" }.joined()
        }
    }
}
