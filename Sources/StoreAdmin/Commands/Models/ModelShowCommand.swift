import ContextCore

/// Prints a model of a store as a model file.
struct ModelShowCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "show"], abstract: "Prints a model of the store as a model file.",
        operands: [
            .init(
                name: "VERSION", help: "Its number, as 'model list' gives it; the one in force unless given.",
                isOptional: true)
        ],
        examples: [
            .init(words: "model show > V1.model.json", help: "Keeps the store's model in a file."),
            .init(words: "model show 1", help: "The model that the store was made with."),
        ])

    func run(_ call: CommandCall) throws -> Report {
        let models = try call.store().inspect { try $0.models() }
        let model = try chosen(call.arguments.operands.first, among: models)
        let document = try JSONDocument(model.fileText)
        let json: [String: JSONValue] = [
            "version": .int(model.number), "fingerprint": .string(model.fingerprint),
            "model": JSONValue(document.root),
        ]
        return Report("model.show", json) { _ in model.fileText }
    }

    private func chosen(_ text: String?, among models: [StoredModel]) throws -> StoredModel {
        guard let text else {
            if let last = models.last { return last }
            throw StoreError(.corrupt, "The store keeps no model.", remedy: "Restore a backup.")
        }
        if let model = models.first(where: { String($0.number) == text }) { return model }
        throw AdminError.usage(
            "the store has no model of version “\(text)”.",
            hint: "It has \(models.map { String($0.number) }.joined(separator: ", ")).")
    }
}
