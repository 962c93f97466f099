import ContextCore

/// Reads and writes through a coordinator's sessions, without a context.
struct SessionHarness {
    let coordinator: any StoreCoordinator
    var model: ObjectModel { coordinator.model }

    /// Runs the body in a read session.
    func read<Value>(_ body: (any ReadSession) throws -> Value) throws -> Value {
        let session = try coordinator.openReadSession(SessionOptions(identifier: "conformance"))
        defer { session.end() }
        return try body(session)
    }

    /// Runs the body in a write session, and commits unless the body throws.
    @discardableResult
    func write<Value>(_ body: (any WriteSession) throws -> Value) throws -> (
        result: Value, token: StoreToken
    ) {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "conformance"))
        defer { session.end() }
        let result = try body(session)
        return (result, try session.commit())
    }

    /// Applies changes, throws if they conflict, and commits them.
    @discardableResult
    func save(_ changes: ChangeSet) throws -> StoreToken {
        try write { session in
            try expectEqual(try session.apply(changes).conflicts, [], "The conflicts")
        }.token
    }

    /// Applies changes without committing them, and returns their conflicts.
    func conflicts(of changes: ChangeSet) throws -> [RowConflict] {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "conformance"))
        defer { session.end() }
        return try session.apply(changes).conflicts
    }

    func layout(_ entity: String) throws -> EntityLayout {
        try require(model.layout(named: entity), "The entity \(entity)")
    }

    /// Returns rows of an entity, each given as its key and its values by column name.
    func rows(_ entity: String, version: Int64 = 1, _ rows: [(Int64, [String: StoredValue])]) throws
        -> RowBatch
    {
        let layout = try layout(entity)
        var builder = RowBatchBuilder(model: model)
        for (key, values) in rows {
            builder.beginRow(key: key, version: version, entityIndex: layout.index)
            for (index, column) in layout.columns.enumerated() {
                builder.set(index, to: values[column.name] ?? .null)
            }
        }
        return try builder.finish()
    }

    func insertion(_ entity: String, _ rows: [(Int64, [String: StoredValue])]) throws -> ChangeSet.Insertion {
        ChangeSet.Insertion(entityIndex: try layout(entity).index, rows: try self.rows(entity, rows))
    }

    /// Returns an update of the given columns of one row.
    func update(
        _ entity: String, _ key: Int64, base: Int64, _ values: [String: StoredValue], changing names: [String]
    ) throws -> ChangeSet.Update {
        let layout = try layout(entity)
        let columns = try names.map { name in
            try require(layout.columns.firstIndex { $0.name == name }, "The column \(name)")
        }
        return ChangeSet.Update(
            entityIndex: layout.index, columns: columns.sorted(),
            rows: try rows(entity, version: base + 1, [(key, values)]), baseVersions: [base])
    }

    func deletion(_ entity: String, _ key: Int64, base: Int64?) throws -> ChangeSet.Deletion {
        ChangeSet.Deletion(entityIndex: try layout(entity).index, keys: [key], baseVersions: [base])
    }

    /// Returns the values of a column, in the order of the rows.
    func values(_ column: String, of batch: RowBatch, _ entity: String) throws -> [StoredValue] {
        let index = try require(
            try layout(entity).columns.firstIndex { $0.name == column }, "The column \(column)")
        return (0..<batch.count).map { batch.value(index, at: $0) }
    }
}

extension CaseRun {
    /// Opens a coordinator, by default with the model of rules: seats, accounts and boxes.
    func harness(_ model: [ManagedObject.Type] = RuleModel.classes) throws -> SessionHarness {
        SessionHarness(coordinator: try coordinator(model))
    }
}
