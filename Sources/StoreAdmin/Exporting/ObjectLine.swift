import ContextCore

/// Writes an object as a line of an export.
///
/// ```json
/// {"entity":"Player","id":12,"to":{"game":1},"values":{"name":"Ann","score":12},"version":1}
/// ```
struct ObjectLine {
    let model: ObjectModel

    /// Returns the line of an object.
    ///
    /// - Parameter links: The object's to-many relationships for which ``EntityLayout/storedCollections(in:)`` returns the property.
    func text(_ batch: RowBatch, _ row: Int, _ links: [(name: String, targets: [Int64])]) -> String {
        let layout = model.layouts[batch.entityIndex(at: row)]
        var values: [String: JSONValue] = [:]
        var targets: [String: JSONValue] = [:]
        for property in layout.properties {
            guard let column = property.columns.first else { continue }
            switch property.kind {
            case .attribute(let attribute):
                let value = batch.storedValue(of: property, at: row)
                if !value.isNull { values[property.name] = value.fileValue(of: attribute.type) }
            case .relationship:
                if case .int(let key) = batch.value(column, at: row) {
                    targets[property.name] = .number(String(key))
                }
            }
        }
        for (name, keys) in links { targets[name] = .array(keys.map { .number(String($0)) }) }
        return JSONValue.object([
            "entity": .string(layout.name), "id": .number(String(batch.key(at: row))),
            "version": .number(String(batch.version(at: row))), "values": .object(values),
            "to": .object(targets),
        ]).text + "\n"
    }
}

/// The first line of an export, which contains the schema and the model.
enum ExportHeader {
    static let schema = "storectl.export/1"

    /// Returns the first line.
    ///
    /// - Parameter count: The number of objects that follow, so that a reader can detect a truncated export.
    static func text(_ model: ObjectModel, count: Int) throws -> String {
        JSONValue.object([
            "objects": .int(count), "schema": .string(schema), "fingerprint": .string(model.fingerprint),
            "model": JSONValue(try JSONDocument(model.fileText).root),
        ]).text + "\n"
    }
}
