import ContextCore
import Foundation

/// Creates the configuration file and the folders for models and migrations of a project.
struct InitCommand: Command {
    let declaration = CommandDeclaration(
        words: ["init"], abstract: "Creates storectl.json, and folders for models and migrations.",
        discussion: "If storectl.json already exists, the command fails and creates nothing.",
        options: [
            .option("name", nil, "NAME", "The store's name. The default is dev."),
            .option("url", nil, "URL", "The store's URL. The default is a SQLite file with that name."),
        ],
        examples: [
            .init(words: "init", help: "In the folder of a project."),
            .init(words: "init --url postgres://app@localhost/shop", help: "With a store on a server."),
        ], takesTenant: false, exitCodes: [.cannotCreate, .configuration])

    func run(_ call: CommandCall) throws -> Report {
        let name = call.arguments["name"] ?? "dev"
        let text = call.arguments["url"] ?? "sqlite:\(name).sqlite"
        try call.tool.refusePassword(in: text)
        let url = try StoreURL(text)
        _ = try StoreBackend.backend(for: url, among: call.tool.backends)
        guard StoreConfiguration.isName(name) else {
            throw AdminError.usage(
                "a store's name must not be empty or contain a colon, a space, a slash or =.")
        }
        let environment = call.tool.environment
        let sink = try FileSink(environment.resolved(ConfigurationNames.file))
        defer { sink.close() }
        try sink.write(Self.configuration(name, text, tool: call.tool.name))
        try sink.finish()
        var made = [ConfigurationNames.file]
        for folder in [ModelFolder.models, ModelFolder.migrations] {
            let path = environment.resolved(folder)
            if FileManager.default.fileExists(atPath: path) { continue }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            made.append(folder)
        }
        return Report("init", ["made": .array(made.map(JSONValue.string))]) { [made] _ in
            made.map { "created \($0)\n" }.joined()
        }
    }

    private static func configuration(_ name: String, _ url: String, tool: String) -> String {
        """
        {
          // Applications and \(tool) both read this file: Store.open("\(name)", …) and \(tool) --store \(name).
          "default": \(JSONValue.string(name).text),
          "stores": {
            \(JSONValue.string(name).text): \(JSONValue.string(url).text)
          }
        }

        """
    }
}

/// The folders of a project's frozen models and migrations.
enum ModelFolder {
    static let models = "Models"
    static let migrations = "Migrations"
}
