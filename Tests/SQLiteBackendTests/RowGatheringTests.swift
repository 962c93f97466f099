#if SQLite
import ContextCore
import RandomSeeds
import SQLStore
import Testing

@testable import SQLiteBackend

/// Rows that a statement returns in one step, in the order in which it finds them.
struct RowGatheringTests {
    private let store: TemporaryStore
    private let person: EntityLayout

    init() throws {
        let name = AttributeDescription("name", .string)
        let age = AttributeDescription("age", .int64)
        let salary = AttributeDescription("salary", .int64, isOptional: true)
        store = try TemporaryStore(
            ObjectModel(entities: [
                EntityDescription("Person", attributes: [name, age], indexes: [IndexDescription(["age"])]),
                EntityDescription("Clerk", superentity: "Person", attributes: [salary]),
            ]))
        person = try #require(store.model.layout(named: "Person"))
    }

    /// Saves people and clerks whose keys have another order than their ages.
    private func save(_ count: Int, _ random: inout SeededRandom) throws -> [Int64: (
        name: String, age: Int64
    )] {
        var saved: [Int64: (name: String, age: Int64)] = [:]
        for (entity, keys) in [
            ("Person", stride(from: 1, through: count, by: 2)),
            ("Clerk", stride(from: 2, through: count, by: 2)),
        ] {
            let people = keys.map { key in
                (
                    key: Int64(key), name: "name \(Int.random(in: 0...999, using: &random))",
                    age: Int64.random(in: 0...99, using: &random)
                )
            }
            for person in people { saved[person.key] = (person.name, person.age) }
            let rows = try store.model.rows(
                entity, people.map { ($0.key, ["name": .string($0.name), "age": .int($0.age)]) })
            try store.save { changes, model in
                changes.inserts = [.init(entityIndex: try model.index(entity), rows: rows)]
            }
        }
        return saved
    }

    private func plan(_ predicate: String? = nil) throws -> FetchPlan {
        FetchPlan(
            entityIndex: person.index,
            predicate: try predicate.map { try FetchPredicate($0).resolved(for: person, in: store.model) })
    }

    @Test(arguments: [0, 1, 2, 7, 200])
    func `Rows are returned in the order of their keys, even if they are found in another`(_ count: Int)
        throws
    {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        let saved = try save(count, &random)
        for (predicate, isWanted) in [
            (nil, { _ in true }), ("age > 50", { $0 > 50 }),
            ("age IN {90, 3, 45}", { [90, 3, 45].contains($0) }),
        ] as [(String?, (Int64) -> Bool)] {
            let plan = try plan(predicate)
            if predicate != nil {
                let steps = try store.read { session in
                    try #require(session as? any ExplainingSession).explain(plan).steps
                }
                #expect(steps.contains { $0.contains("USING INDEX") }, "\(steps)")
            }
            let rows = try store.read { try $0.fetch(plan) }
            let wanted = saved.filter { isWanted($0.value.age) }.keys.sorted()
            #expect((0..<rows.count).map { rows.key(at: $0) } == wanted, "seed \(seed)")
            for row in 0..<rows.count {
                let layout = store.model.layouts[rows.entityIndex(at: row)]
                let key = rows.key(at: row)
                #expect(layout.name == (key % 2 == 0 ? "Clerk" : "Person"), "seed \(seed)")
                for (name, value) in [
                    ("name", saved[key].map { .string($0.name) }), ("age", saved[key].map { .int($0.age) }),
                ] as [(String, StoredValue?)] {
                    let column = try #require(layout.columns.firstIndex { $0.name == name })
                    #expect(rows.value(column, at: row) == value, "seed \(seed)")
                }
            }
        }
    }

    /// Few columns, and more columns than the function has arguments.
    @Test(arguments: [2, 97, 98, 99, 120])
    func `Rows of one entity are too, however many columns it has`(_ width: Int) throws {
        let names = (0..<width).map { "a\($0 + 100)" }
        let store = try TemporaryStore(
            ObjectModel(entities: [
                EntityDescription(
                    "Wide", attributes: names.map { AttributeDescription($0, .int64, isOptional: true) },
                    indexes: [IndexDescription(["a100"])])
            ]))
        let wide = try #require(store.model.layout(named: "Wide"))
        let last = try #require(names.last)
        func first(_ key: Int64) -> Int64 { key * 37 % 50 }
        let values = (1...50).map { (key: Int64) -> (Int64, [String: StoredValue]) in
            (key, ["a100": .int(first(key)), last: .int(-key)])
        }
        let rows = try store.model.rows("Wide", values)
        try store.save { changes, _ in changes.inserts = [.init(entityIndex: wide.index, rows: rows)] }
        let plan = FetchPlan(
            entityIndex: wide.index,
            predicate: try FetchPredicate("a100 >= 25").resolved(for: wide, in: store.model))
        let found = try store.read { try $0.fetch(plan) }
        let keys = (0..<found.count).map { found.key(at: $0) }
        #expect(keys == (1...50).filter { first($0) >= 25 })
        for row in 0..<found.count {
            #expect(found.value(0, at: row) == .int(first(keys[row])))
            #expect(found.value(width - 1, at: row) == .int(-keys[row]))
            for column in 1..<width - 1 { #expect(found.isNull(column, at: row)) }
        }
        let some = try store.read { try $0.rows([7, 3, 40], entityIndex: wide.index) }
        let lasts = (0..<some.count).map { some.value(width - 1, at: $0) }
        #expect(Set(lasts) == [.int(-7), .int(-3), .int(-40)])
    }

    private func connection() throws -> SQLiteConnection {
        try .open(.read, StoreFile(store.path), SQLiteConfiguration(path: store.path))
    }

    @Test func `An error of one row is thrown, and the next fetch works`() throws {
        var random = SeededRandom(seed: 1)
        let saved = try save(9, &random)
        let connection = try connection()
        defer { connection.close() }
        let mapping = StoreMapping(store.model, maximumNameLength: nil)
        let selection = SelectedColumns(mapping, entityIndex: person.index)
        let statements = EntityStatements(mapping, person.index, selection)
        func rows(heapLimit: Int = .max) throws -> RowBatch {
            let statement = try connection.statement(statements.rowsByKeys)
            defer { statement.reset() }
            try statement.bind([.keys(Array(saved.keys))])
            var decoder = RowDecoder(model: store.model, selection: selection, isGathered: true)
            decoder.heapLimit = heapLimit
            return try decoder.rows(statement)
        }
        #expect(statements.gathersRows)
        #expect(try rows().count == 9)
        let overfull = #expect(throws: StoreError.self) { _ = try rows(heapLimit: 20) }
        #expect(overfull?.code == .unsupportedRequest)
        #expect(try rows().count == 9)
        let foreign = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { foreign.close() }
        try foreign.execute("UPDATE person SET name = CAST(x'FF' AS TEXT) WHERE _id = 4")
        let damaged = #expect(throws: StoreError.self) { _ = try rows() }
        #expect(damaged?.code == .corrupt)
        #expect(damaged?.detail?.contains(statements.rowsByKeys) == true)
        try foreign.execute("UPDATE person SET name = 'mended' WHERE _id = 4")
        #expect(try rows().count == 9)
    }

    @Test func `A write block with an unreadable row continues, and commits`() throws {
        var random = SeededRandom(seed: 2)
        _ = try save(9, &random)
        let foreign = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { foreign.close() }
        try foreign.execute("UPDATE person SET name = CAST(x'FF' AS TEXT) WHERE _id = 4")
        let plan = try plan()
        let rows = try store.model.rows("Person", [(11, ["name": .string("new"), "age": .int(1)])])
        try store.write { session in
            var changes = ChangeSet(author: "test")
            changes.inserts = [.init(entityIndex: person.index, rows: rows)]
            _ = try session.apply(changes)
            let error = #expect(throws: StoreError.self) { try session.fetch(plan) }
            #expect(error?.code == .corrupt)
        }
        try foreign.execute("UPDATE person SET name = 'mended' WHERE _id = 4")
        #expect(try store.read { try $0.fetch(plan).count } == 10)
    }

    @Test func `An abstract entity without subentities has no rows, whatever its table contains`() throws {
        let store = try TemporaryStore(
            ObjectModel(entities: [
                EntityDescription(
                    "Shape", isAbstract: true, attributes: [AttributeDescription("area", .int64)])
            ]))
        let shape = try #require(store.model.layout(named: "Shape"))
        let foreign = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { foreign.close() }
        try foreign.execute("INSERT INTO shape (_id, _version, area) VALUES (1, 1, 5), (2, 1, 6)")
        #expect(try store.read { try $0.fetch(FetchPlan(entityIndex: shape.index)).count } == 0)
        #expect(try store.read { try $0.rows([1, 2], entityIndex: shape.index).count } == 0)
    }

    @Test func `The function is available to fetches only`() throws {
        let connection = try connection()
        defer { connection.close() }
        let error = #expect(throws: StoreError.self) { try connection.execute("SELECT context_gather(1, 2)") }
        #expect(error?.detail?.contains("only be used in fetches") == true)
        // A manipulated file can't call the function either.
        let writer = try SQLiteConnection.open(
            .readAndWrite, StoreFile(store.path), SQLiteConfiguration(path: store.path))
        defer { writer.close() }
        try writer.execute("CREATE VIEW trap AS SELECT context_gather(1) AS a")
        #expect(throws: StoreError.self) { try connection.execute("SELECT * FROM trap") }
    }
}
#endif
