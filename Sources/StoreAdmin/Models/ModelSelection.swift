import ContextCore
import Foundation

/// Finds the model that a word means: a file, a version that a store keeps, or the application's own.
struct ModelSelection {
    let call: CommandCall

    /// Finds a model by a path, by `store`, `store@1` or `app`.
    func model(_ word: String) throws -> ObjectModel {
        if word == "app" { return try applicationModel() }
        if word == "store" { return try call.store().model() }
        if word.hasPrefix("store@") { return try storedModel(String(word.dropFirst(6))) }
        return try file(word)
    }

    /// Reads a model file.
    func file(_ word: String) throws -> ObjectModel {
        let path = call.tool.surroundings.resolved(word)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the file \(word) can't be read.",
                hint: "Name a model file, or store, store@VERSION, app.")
        }
        return try ObjectModel(fileText: String(decoding: data, as: UTF8.self), fileName: word)
    }

    /// The application's own model.
    func applicationModel() throws -> ObjectModel {
        if let model = call.tool.model { return model }
        throw AdminError.usage(
            "this storectl belongs to no application.",
            hint: "Use the application's own: an executable that calls StoreAdmin.main(model:backends:).")
    }

    private func storedModel(_ version: String) throws -> ObjectModel {
        try stored(version).model()
    }

    /// The model that a store keeps under a version; the one in force where none is named.
    func stored(_ version: String?) throws -> StoredModel {
        let models = try call.store().inspect { try $0.models() }
        guard let version else { return try models.inForce() }
        if let model = models.first(where: { String($0.number) == version }) { return model }
        throw AdminError.usage(
            "the store has no model of version “\(version)”.",
            hint: "It has \(models.map { String($0.number) }.joined(separator: ", ")).")
    }
}

extension StoredModel {
    /// The model itself, which errors call by its number.
    func model() throws -> ObjectModel {
        try ObjectModel(fileText: fileText, fileName: "version \(number)")
    }
}
