import ContextCore
import Foundation

/// Makes the files by which a project names its stores and keeps its models.
struct InitCommand: Command {
    let declaration = CommandDeclaration(
        words: ["init"], abstract: "Makes storectl.json, and folders for models and migrations.",
        discussion: "A storectl.json that is there is left alone: then nothing is made.",
        options: [
            .option("name", nil, "NAME", "What the store is called; dev unless given."),
            .option("url", nil, "URL", "Where it is; a SQLite file of that name unless given."),
        ],
        examples: [
            .init(words: "init", help: "In the folder of a project."),
            .init(words: "init --url postgres://app@localhost/shop", help: "With a store on a server."),
        ], takesTenant: false, exits: [.cannotCreate, .configuration])

    func run(_ call: CommandCall) throws -> Report {
        let name = call.arguments["name"] ?? "dev"
        let text = call.arguments["url"] ?? "sqlite:\(name).sqlite"
        try call.tool.refusePassword(in: text)
        let url = try StoreURL(text)
        _ = try StoreBackend.backend(for: url, among: call.tool.backends)
        guard StoreConfiguration.isName(name) else {
            throw AdminError.usage("a store's name has no colon, space, slash or =, and isn't empty.")
        }
        let surroundings = call.tool.surroundings
        let sink = try FileSink(surroundings.resolved(ConfigurationNames.file))
        defer { sink.close() }
        try sink.write(Self.configuration(name, text))
        try sink.finish()
        var made = [ConfigurationNames.file]
        for folder in [ModelFolder.models, ModelFolder.migrations] {
            let path = surroundings.resolved(folder)
            if FileManager.default.fileExists(atPath: path) { continue }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            made.append(folder)
        }
        return Report("init", ["made": .array(made.map(JSONValue.string))]) { [made] _ in
            made.map { "made \($0)\n" }.joined()
        }
    }

    private static func configuration(_ name: String, _ url: String) -> String {
        """
        {
          // Applications and storectl read this file alike: Store.open("\(name)", …) and storectl --store \(name).
          "default": \(JSONValue.string(name).text),
          "stores": {
            \(JSONValue.string(name).text): \(JSONValue.string(url).text)
          }
        }

        """
    }
}

/// The folders in which a project keeps the versions of its model.
enum ModelFolder {
    static let models = "Models"
    static let migrations = "Migrations"
}
