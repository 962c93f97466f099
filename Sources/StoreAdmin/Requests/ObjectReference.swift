import ContextCore

/// The identifier of an object as the user writes it: `Player:12`, `Player/12`, or a URI.
struct ObjectReference: Equatable, Sendable {
    let entityName: String
    let key: Int64

    init(_ text: String) throws(AdminError) {
        if let id = ObjectID(uri: text) {
            (entityName, key) = (id.entityName, id.key)
            return
        }
        let parts = text.split(separator: text.contains("/") ? "/" : ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let number = Int64(parts[1]), number > 0 else {
            throw .usage("“\(text)” is not an object identifier.", hint: "Write it like Player:12.")
        }
        (entityName, key) = (String(parts[0]), number)
    }
}

extension ObjectReference {
    /// Fetches the object's row.
    ///
    /// - Throws: `StoreError.Code.objectNotFound` if there is no such object.
    func row(_ session: any ReadSession, _ model: ObjectModel) throws -> RowBatch {
        let entity = try model.entity(entityName)
        let batch = try session.rows([key], entityIndex: entity.index)
        if batch.count == 1 { return batch }
        throw StoreError(
            .objectNotFound, "There is no object \(entity.name):\(key).",
            remedy: "Run 'storectl query \(entity.name)' to list the objects with their keys.")
    }
}
