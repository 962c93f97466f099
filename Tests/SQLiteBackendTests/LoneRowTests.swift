#if SQLite
import ContextCore
import Testing

@testable import SQLiteBackend

/// A save of one row that leads nowhere, which has no savepoint of its own.
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

    private func keys(_ store: TemporaryStore) throws -> [Int64] {
        let rows = try store.read { try $0.fetch(FetchPlan(entityIndex: store.model.index("Note"))) }
        return (0..<rows.count).map { rows.key(at: $0) }.sorted()
    }

    @Test func `It is set off by no savepoint, and one of two rows is`() throws {
        let seen = Guarded<[String]>([])
        let store = try TemporaryStore(ObjectModel(entities: [note])) {
            $0.seams.probe = StatementProbe { sql in seen.withLock { $0.append(sql) } }
        }
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

    @Test func `Where its line of the history can't be written, nothing is kept and the session is over`()
        throws
    {
        let isArmed = Guarded(false)
        let store = try TemporaryStore(ObjectModel(entities: [note])) {
            $0.seams.probe = StatementProbe { (sql) throws(StoreError) in
                guard isArmed.withLock({ $0 }), sql.hasPrefix("INSERT INTO \"_store_history\"") else {
                    return
                }
                throw StoreError(.inputOutput, "Injected.")
            }
        }
        let session = try store.coordinator.openWriteSession(SessionOptions(identifier: "test"))
        _ = try session.apply(insertion(1, "a", store.model))
        isArmed.withLock { $0 = true }
        #expect(throws: StoreError.self) { try session.apply(insertion(2, "b", store.model)) }
        isArmed.withLock { $0 = false }
        // What was done before is gone with it, so nothing of the session may be committed.
        #expect(throws: StoreError.self) { try session.apply(insertion(3, "c", store.model)) }
        #expect(throws: StoreError.self) { try session.commit() }
        session.end()
        #expect(try keys(store) == [])
        try store.write { _ = try $0.apply(insertion(4, "d", store.model)) }
        #expect(try keys(store) == [4])
        #expect(try store.read { try $0.history(HistoryRequest()).count } == 1)
    }

    @Test func `One that is refused leaves the session as it was`() throws {
        let store = try TemporaryStore(ObjectModel(entities: [note]))
        try store.write { session in
            #expect(try session.apply(insertion(1, "a", store.model)).conflicts.isEmpty)
            #expect(try session.apply(insertion(2, "a", store.model)).conflicts.count == 1)
            var update = ChangeSet(author: "test")
            update.updates = [
                .init(
                    entityIndex: try store.model.index("Note"), columns: [0],
                    rows: try store.model.rows("Note", [(1, ["text": .string("c")])]), baseVersions: [7])
            ]
            #expect(try session.apply(update).conflicts.count == 1)
            #expect(try session.apply(insertion(3, "b", store.model)).conflicts.isEmpty)
        }
        #expect(try keys(store) == [1, 3])
        #expect(try store.read { try $0.history(HistoryRequest()).count } == 2)
    }
}
#endif
