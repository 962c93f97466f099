public import Foundation

/// Models as files: `Models/V2.model.json`.
///
/// ```json
/// {
///   "entities": {
///     "Game": {
///       "attributes": {
///         "title": {"type": "string"}
///       },
///       "relationships": {
///         "players": {"deleteRule": "cascade", "inverse": "game", "to": "Player", "toMany": true}
///       },
///       "unique": [
///         ["title"]
///       ]
///     },
///     "Player": {
///       "relationships": {
///         "game": {"inverse": "players", "optional": true, "to": "Game"}
///       }
///     }
///   },
///   "format": 1
/// }
/// ```
extension ObjectModel {
    /// The model as the text of a file: always the same for the same model, with one property a line.
    ///
    /// Classes and transformers aren't part of it; the names of transformers are.
    public var fileText: String {
        // Entities, their names, their parts and the names of their properties: four levels have lines of their own.
        ModelFileWriter.value(layouts.map(\.description)).text(expanding: 4)
    }

    /// Makes a model from the text of a file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - fileName: The file's name, for messages.
    ///   - transformers: What turns stored values into properties' values. When none are given, objects have the stored forms,
    ///     which is enough to inspect, check and migrate a store without the program that it belongs to.
    /// - Throws: ``ModelFileError`` with everything that is wrong, line by line.
    public convenience init(
        fileText text: String, fileName: String = "model", transformers: [any AttributeTransformer]? = nil
    ) throws {
        try self.init(fileName, transformers) { () throws(JSONSyntaxError) in try JSONDocument(text) }
    }

    /// Makes a model from a file.
    ///
    /// - Throws: ``ModelFileError`` with everything that is wrong, line by line; or, in the place of the first character,
    ///   why the file can't be read.
    public convenience init(contentsOf file: URL, transformers: [any AttributeTransformer]? = nil) throws {
        try self.init(file.lastPathComponent, transformers) { () throws(JSONSyntaxError) in
            try JSONDocument(contentsOf: file)
        }
    }

    private convenience init(
        _ fileName: String, _ transformers: [any AttributeTransformer]?,
        _ parse: () throws(JSONSyntaxError) -> JSONDocument
    ) throws(ModelFileError) {
        let document: JSONDocument
        do {
            document = try parse()
        } catch {
            throw ModelFileError(fileName: fileName, problems: [.init(error.message, at: error.position)])
        }
        var reader = ModelFileReader()
        let entities = reader.entities(of: document.root)
        guard reader.problems.list.isEmpty else {
            throw ModelFileError(
                fileName: fileName, problems: reader.problems.list.map { .init($0.message, at: $0.position) })
        }
        do {
            try self.init(checking: entities, transformers: transformers)
        } catch {
            throw ModelFileError(
                fileName: fileName,
                problems: error.problems.map { .init($0.description, at: reader.position(of: $0)) })
        }
    }
}
