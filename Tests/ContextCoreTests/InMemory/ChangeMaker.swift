import ContextCore

/// Builds change sets by the names of properties.
struct ChangeMaker {
    let model: ObjectModel
    private(set) var changes = ChangeSet(author: "tester", contextName: "test")

    init(_ model: ObjectModel) { self.model = model }

    mutating func insert(_ entity: String, _ key: Int64, _ values: [String: StoredValue]) throws {
        let layout = try model.entity(entity)
        var builder = RowBatchBuilder(model: model)
        builder.beginRow(key: key, version: 1, entityIndex: layout.index)
        for (name, value) in values { builder.set(try layout.column(name), to: value) }
        changes.inserts.append(ChangeSet.Insertion(entityIndex: layout.index, rows: try builder.finish()))
    }

    /// Adds an update of a row, based on the version that a session reads.
    mutating func update(
        _ entity: String, _ key: Int64, _ values: [String: StoredValue], base: Int64? = nil,
        seenBy session: any ReadSession
    ) throws {
        let layout = try model.entity(entity)
        let batch = try session.rows([key], entityIndex: layout.index)
        var builder = RowBatchBuilder(model: model)
        if batch.count == 1 {
            builder.append(0, of: batch, version: batch.version(at: 0) + 1)
        } else {
            builder.beginRow(key: key, version: 2, entityIndex: layout.index)
        }
        for (name, value) in values { builder.set(try layout.column(name), to: value) }
        changes.updates.append(
            ChangeSet.Update(
                entityIndex: layout.index, columns: try values.keys.map(layout.column).sorted(),
                rows: try builder.finish(),
                baseVersions: [base ?? (batch.count == 1 ? batch.version(at: 0) : 1)]))
    }

    mutating func delete(_ entity: String, _ key: Int64, base: Int64? = nil) throws {
        changes.deletes.append(
            ChangeSet.Deletion(
                entityIndex: try model.entity(entity).index, keys: [key], baseVersions: [base]))
    }

    mutating func link(
        _ entity: String, _ name: String, placed: [RelatedRows.Link] = [], removed: [RelatedRows.Link] = []
    ) throws {
        let layout = try model.entity(entity)
        changes.links.append(
            ChangeSet.LinkChange(
                entityIndex: layout.index, slot: try layout.slot(name), placed: placed, removed: removed))
    }
}

/// An error for a name that the model doesn't have.
struct NotInModel: Error {
    let name: String
}

extension ObjectModel {
    func entity(_ name: String) throws -> EntityLayout {
        guard let layout = layout(named: name) else { throw NotInModel(name: name) }
        return layout
    }
}

extension EntityLayout {
    func column(_ name: String) throws -> Int {
        guard let column = columns.firstIndex(where: { $0.name == name }) else {
            throw NotInModel(name: name)
        }
        return column
    }

    func slot(_ name: String) throws -> Int {
        guard let property = property(named: name) else { throw NotInModel(name: name) }
        return property.slot
    }
}

extension RelatedRows.Link {
    init(_ owner: Int64, _ target: Int64, at position: Int64 = 0) {
        self.init(owner: owner, target: target, position: position)
    }
}

extension InMemoryCoordinator {
    /// Creates an empty store of clubs.
    static func clubs() throws -> InMemoryCoordinator { InMemoryCoordinator(model: try ClubModel.make()) }

    func read() throws -> any ReadSession { try openReadSession(SessionOptions(identifier: "test")) }

    func write() throws -> any WriteSession { try openWriteSession(SessionOptions(identifier: "test")) }

    /// Saves the change set that a closure builds.
    @discardableResult
    func save(_ body: (inout ChangeMaker, any WriteSession) throws -> Void) throws -> [RowConflict] {
        let session = try write()
        defer { session.end() }
        var maker = ChangeMaker(model)
        try body(&maker, session)
        let receipt = try session.apply(maker.changes)
        if receipt.conflicts.isEmpty { _ = try session.commit() }
        return receipt.conflicts
    }

    /// Creates a store with a few clubs and members.
    static func furnished() throws -> InMemoryCoordinator {
        let store = try clubs()
        try store.save { maker, _ in
            try maker.insert("Club", 1, ["name": .string("Rot-Weiß"), "city": .string("Essen")])
            try maker.insert("Club", 2, ["name": .string("Union"), "city": .string("Berlin")])
            try maker.insert("Member", 1, ["name": .string("Ann"), "score": .int(3), "club": .int(1)])
            try maker.insert("Captain", 2, ["name": .string("Bob"), "score": .int(7), "club": .int(1)])
            try maker.insert("Member", 3, ["name": .string("Cid"), "score": .int(5), "club": .int(2)])
        }
        return store
    }
}

extension ReadSession {
    func keys(_ plan: FetchPlan) throws -> [Int64] {
        let batch = try fetch(plan)
        return (0..<batch.count).map { batch.key(at: $0) }
    }

    func value(_ name: String, of entity: String, _ key: Int64, in model: ObjectModel) throws -> StoredValue?
    {
        let layout = try model.entity(entity)
        let batch = try rows([key], entityIndex: layout.index)
        return batch.count == 1 ? batch.value(try layout.column(name), at: 0) : nil
    }

    func related(_ entity: String, _ name: String, _ owners: [Int64], in model: ObjectModel) throws
        -> [RelatedRows.Link]
    {
        let layout = try model.entity(entity)
        return try related(
            RelatedPlan(entityIndex: layout.index, slot: try layout.slot(name), owners: owners)
        ).links
    }
}
