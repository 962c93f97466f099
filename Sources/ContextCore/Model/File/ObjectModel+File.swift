public import Foundation

/// Models in files, such as `Models/V2.model.json`.
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
    /// The model as the text of a file, with one property per line; always the same for the same model.
    ///
    /// It contains no classes and no transformers, but the names of transformers.
    public var fileText: String {
        // Expands four levels: the entities, their names, their sections and the names of their properties.
        ModelFileWriter.value(layouts.map(\.description)).text(expanding: 4)
    }

    /// Creates a model from the text of a file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - fileName: The file's name, for messages.
    ///   - transformers: The transformers between stored values and properties' values. If nil, objects have the stored values,
    ///     which is enough to inspect, check and migrate a store without its program.
    /// - Throws: ``ModelFileError`` with all problems and their lines.
    public convenience init(
        fileText text: String, fileName: String = "model", transformers: [any AttributeTransformer]? = nil
    ) throws {
        try self.init(fileName, transformers) { () throws(JSONSyntaxError) in try JSONDocument(text) }
    }

    /// Creates a model from a file.
    ///
    /// - Throws: ``ModelFileError`` with all problems and their lines. If the file can't be read, the error has the reason at
    ///   line 1, column 1.
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
