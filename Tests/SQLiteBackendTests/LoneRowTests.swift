#if SQLite
import ContextCore
import Testing

@testable import SQLiteBackend

/// A save of one row without relationships, which needs no savepoint.
struct LoneRowTests {
    private let note = EntityDescription(
        "Note", attributes: [AttributeDescription("text", .string)],
        uniqueConstraints: [UniqueConstraint(["text"])])

    private func insertion(_ key: Int64, _ text: String, _ model: ObjectModel) throws -> ChangeSet {
        var changes = ChangeSet(author: "test")
        changes.inserts = [
            .init(
                entityIndex: try model.index("Note"),
                rows: try model.rows("Note", [(key, ["text": .string(text)])]))
        ]
        return changes
    }

    /// Reserves keys in advance: a save that does more than write its row needs a savepoint.
    private func setKeysAside(_ store: TemporaryStore) throws {
        try store.write { _ = try $0.reserveKeys(1, rootIndex: store.model.index("Note")) }
    }

    private func keys(_ store: TemporaryStore) throws -> [Int64] {
        let rows = try store.read { try $0.fetch(FetchPlan(entityIndex: store.model.index("Note"))) }
        return (0..<rows.count).map { rows.key(at: $0) }.sorted()
    }

    @Test func `A save of one row has no savepoint, and one of two rows has one`() throws {
        let seen = Guarded<[String]>([])
        let store = try TemporaryStore(ObjectModel(entities: [note])) {
            $0.testHooks.statementHook = StatementHook { sql in seen.withLock { $0.append(sql) } }
        }
        try setKeysAside(store)
        try store.write { _ = try $0.apply(insertion(1, "a", store.model)) }
        #expect(seen.withLock { $0.contains { $0.hasPrefix("SAVEPOINT") } } == false)
        try store.save { changes, model in
            changes.inserts = [
                .init(
                    entityIndex: try model.index("Note"),
                    rows: try model.rows(
                        "Note", [(2, ["text": .string("b")]), (3, ["text": .string("c")])]))
            ]
        }
        #expect(seen.withLock { $0.contains { $0.hasPrefix("SAVEPOINT") } })
        #expect(try keys(store) == [1, 2, 3])
    }

    /// Creates a store in which history records can't be written as long as a condition holds.
    private func store(
        failing isArmed: Guarded<Bool>, whenBegun: @escaping @Sendable () -> Void = {}
    ) throws -> TemporaryStore {
        try TemporaryStore(ObjectModel(entities: [note])) {
            $0.testHooks.statementHook = StatementHook { (sql) throws(StoreError) in
                if !isArmed.withLock({ $0 }) { return }
                if sql == "BEGIN IMMEDIATE" { whenBegun() }
                if sql.hasPrefix("INSERT INTO \"_store_history\"") {
                    throw StoreError(.inputOutput, "Injected.")
                }
            }
        }
    }

    @Test(arguments: [[], [1]] as [[Int64]])
    func `If its history record can't be written, only this save is undone`(_ earlier: [Int64]) throws {
        let isArmed = Guarded(false)
        let store = try store(failing: isArmed)
        try setKeysAside(store)
        try store.write { session in
            for key in earlier { _ = try session.apply(insertion(key, "\(key)", store.model)) }
            isArmed.withLock { $0 = true }
            #expect(throws: StoreError.self) { try session.apply(insertion(2, "b", store.model)) }
            isArmed.withLock { $0 = false }
            _ = try session.apply(insertion(3, "c", store.model))
        }
        #expect(try keys(store) == earlier + [3])
        #expect(try store.read { try $0.history(HistoryRequest()).count } == earlier.count + 1)
    }

    @Test func `If another writer saved before the undo, the session ends`() throws {
        let isArmed = Guarded(false)
        let path = Guarded("")
        let store = try store(failing: isArmed) {
            // Once, by a writer whose statements are not counted.
            isArmed.withLock { $0 = false }
            let other = try? SQLiteConnection(
                path: path.withLock { $0 }, access: .readAndWrite, timeout: .seconds(5))
            try? other?.execute(
                "INSERT INTO \"_store_history\" (\"sequence\", \"mark\", \"date\") VALUES (1, 0, 0)")
            other?.close()
        }
        path.withLock { [path = store.path] in $0 = path }
        try setKeysAside(store)
        let session = try store.coordinator.openWriteSession(SessionOptions(identifier: "test"))
        isArmed.withLock { $0 = true }
        #expect(throws: StoreError.self) { try session.apply(insertion(2, "b", store.model)) }
        #expect(isArmed.withLock { $0 } == false)
        #expect(throws: StoreError.self) { try session.apply(insertion(3, "c", store.model)) }
        #expect(throws: StoreError.self) { try session.commit() }
        session.end()
        #expect(try keys(store) == [])
        try store.write { _ = try $0.apply(insertion(4, "d", store.model)) }
        #expect(try keys(store) == [4])
    }

    @Test func `A rejected save leaves the session usable`() throws {
        let store = try TemporaryStore(ObjectModel(entities: [note]))
        try setKeysAside(store)
        try store.write { _ = try $0.apply(insertion(2, "a", store.model)) }
        try store.write { session in
            let refused = try session.apply(insertion(5, "a", store.model))
            #expect(refused.conflicts.count == 1)
            _ = try session.apply(insertion(4, "d", store.model))
        }
        try store.write { session in
            #expect(try session.apply(insertion(1, "e", store.model)).conflicts.isEmpty)
            #expect(try session.apply(insertion(6, "a", store.model)).conflicts.count == 1)
            var update = ChangeSet(author: "test")
            update.updates = [
                .init(
                    entityIndex: try store.model.index("Note"), columns: [0],
                    rows: try store.model.rows("Note", [(1, ["text": .string("c")])]), baseVersions: [7])
            ]
            #expect(try session.apply(update).conflicts.count == 1)
            #expect(try session.apply(insertion(3, "b", store.model)).conflicts.isEmpty)
        }
        #expect(try keys(store) == [1, 2, 3, 4])
        #expect(try store.read { try $0.history(HistoryRequest()).count } == 4)
    }
}
#endif
