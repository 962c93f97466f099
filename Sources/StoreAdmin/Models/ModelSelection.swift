import ContextCore
import Foundation

/// Finds the model that an operand names: a file, a version in a store, or the application's own model.
struct ModelSelection {
    static let option = OptionDeclaration.option("model", nil, "MODEL", "A model file, 'store' or 'app'.")

    let call: CommandCall

    /// Returns the model for a path, `store`, `store@VERSION`, or `app`.
    func model(_ word: String) throws -> ObjectModel {
        if word == "app" { return try applicationModel() }
        if word == "store" { return try call.store().model() }
        if word.hasPrefix("store@") { return try storedModel(String(word.dropFirst(6))) }
        return try file(word)
    }

    /// Returns the model that the option names or, without it, the application's own model.
    func modelToFreeze() throws -> ObjectModel {
        if let word = call.arguments["model"] { return try model(word) }
        if let model = call.tool.model { return model }
        throw AdminError.usage(
            "this storectl contains no application's model.",
            hint: "Name the model with --model FILE or --model store.")
    }

    /// Reads a model file.
    func file(_ word: String) throws -> ObjectModel {
        let path = call.tool.environment.resolved(word)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the file \(word) can't be read.",
                hint: "Name a model file, or use store, store@VERSION, or app.")
        }
        return try ObjectModel(fileText: String(decoding: data, as: UTF8.self), fileName: word)
    }

    /// The application's own model.
    func applicationModel() throws -> ObjectModel {
        if let model = call.tool.model { return model }
        throw AdminError.usage(
            "this storectl contains no application's model.",
            hint: "Use the application's own tool, which calls StoreAdmin.main(model:backends:).")
    }

    private func storedModel(_ version: String) throws -> ObjectModel {
        try stored(version).model()
    }

    /// Returns the store's model with a version number, or the current model if the number is nil.
    func stored(_ version: String?) throws -> StoredModel {
        let models = try call.store().inspect { try $0.models() }
        guard let version else { return try models.currentModel() }
        if let model = models.first(where: { String($0.number) == version }) { return model }
        throw AdminError.usage(
            "the store has no model with version “\(version)”.",
            hint: "Its versions are \(models.map { String($0.number) }.joined(separator: ", ")).")
    }
}

extension StoredModel {
    /// Parses the model; errors contain its version number.
    func model() throws -> ObjectModel {
        try ObjectModel(fileText: fileText, fileName: "version \(number)")
    }
}
