import ContextCore

/// Prints a model of a store as a model file.
struct ModelShowCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "show"], abstract: "Prints a model of the store as a model file.",
        operands: [
            .init(
                name: "VERSION", help: "The number in 'model list'. The default is the current model.",
                isOptional: true)
        ],
        examples: [
            .init(words: "model show > V1.model.json", help: "Writes the store's model to a file."),
            .init(words: "model show 1", help: "The model that the store was created with."),
        ])

    func run(_ call: CommandCall) throws -> Report {
        let model = try ModelSelection(call: call).stored(call.arguments.operands.first)
        let document = try JSONDocument(model.fileText)
        let json: [String: JSONValue] = [
            "version": .int(model.number), "fingerprint": .string(model.fingerprint),
            "model": JSONValue(document.root),
        ]
        return Report("model.show", json) { _ in model.fileText }
    }
}
