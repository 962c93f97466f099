#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Relationships with many members, which are streamed: the results equal those that are read at once.
@Suite(.enabled(if: TestServer.isExpected))
struct LongChildrenTests {
    private static let model = Result {
        try ObjectModel(entities: [
            EntityDescription(
                "Owner", attributes: [AttributeDescription("name", .string)],
                relationships: [
                    RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true),
                    RelationshipDescription(
                        "items", to: "Item", inverse: "holder", isToMany: true, isOrdered: true),
                ]),
            EntityDescription(
                "Thing", attributes: [AttributeDescription("worth", .decimal(precision: 20, scale: 2))],
                relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")]),
            EntityDescription(
                "Item", attributes: [AttributeDescription("size", .int64)],
                relationships: [RelationshipDescription("holder", to: "Owner", inverse: "items")]),
        ])
    }

    private let store: InjuredStore
    private let owner: EntityLayout
    private var long: ResultSizes { store.coordinator.store.resultSizes }

    init() throws {
        store = try InjuredStore(model: Self.model.get())
        owner = try #require(store.model.layout(named: "Owner"))
        // Owners from 1 to 100; the rows of an owner are scattered over the table.
        try store.execute(
            """
            INSERT INTO "owner" ("_id", "_version", "name") SELECT key, 1, 'o' || key FROM generate_series(1, 100) AS key; \
            INSERT INTO "thing" ("_id", "_version", "worth", "owner_id") SELECT key, 1, key, NULLIF(key % 101, 0) \
            FROM generate_series(1, 25000) AS key; \
            INSERT INTO "item" ("_id", "_version", "size", "holder_id", "holder_order") \
            SELECT key, 1, key, key % 100 + 1, -key FROM generate_series(1, 25000) AS key
            """)
    }

    private func slot(_ name: String) throws -> Int { try #require(owner.property(named: name)).slot }

    private func related(_ name: String, _ owners: [Int64]) throws -> RelatedRows {
        let session = try store.read()
        defer { session.end() }
        return try session.related(
            RelatedPlan(entityIndex: owner.index, slot: slot(name), owners: owners))
    }

    private func expectThings(_ owners: [Int64], at location: SourceLocation = #_sourceLocation) throws {
        let found = try related("things", owners)
        let expected = owners.flatMap { owner in
            stride(from: owner, through: 25_000, by: 101).map { RelatedRows.Link(owner: owner, target: $0) }
        }
        #expect(found.links == expected, sourceLocation: location)
        let rows = try #require(found.rows)
        let worth = try #require(store.model.layout(named: "Thing")?.property(named: "worth")?.columns.first)
        #expect(
            Set((0..<rows.count).map { rows.key(at: $0) }) == Set(expected.map(\.target)),
            sourceLocation: location)
        #expect(
            (0..<rows.count).allSatisfy { rows.value(worth, at: $0) == .decimal(Decimal(rows.key(at: $0))) },
            sourceLocation: location)
    }

    @Test func `Members are assigned to their owners, with or without streaming`() throws {
        let all = Array(Int64(1)...100)
        try expectThings(all)
        let question = ResultSizes.QueryKind.children(entityIndex: owner.index, slot: try slot("things"))
        #expect(long.expectsLargeResult(of: question, ownerCount: 100))
        try expectThings(all)
        try expectThings(all.reversed())
        // Fewer owners, none, and some that don't exist.
        try expectThings(Array(all.prefix(3)))
        try expectThings([])
        try expectThings(all)
        #expect(try related("things", [7_000]).links.isEmpty)
        try store.expectFullPool()
    }

    @Test func `An ordered relationship keeps its order`() throws {
        for owners in [Array(Int64(1)...100), Array((Int64(1)...100).reversed())] {
            let found = try related("items", owners)
            let expected = owners.flatMap { owner in
                stride(from: owner == 1 ? 100 : owner - 1, through: 25_000, by: 100).reversed().map {
                    RelatedRows.Link(owner: owner, target: $0, position: -$0)
                }
            }
            #expect(found.links == expected)
            #expect(found.rows?.count == 25_000)
        }
    }

    @Test func `The members of all owners are read without listing their keys`() throws {
        for name in ["things", "items"] {
            for owners in [Array(Int64(1)...100), Array((Int64(1)...100).reversed()), Array(Int64(3)...80)] {
                let known = try related(name, owners).links
                // The number of rows of the previous query decides whether the result is streamed.
                for _ in 1...2 {
                    let session = try store.read()
                    defer { session.end() }
                    let plan = RelatedPlan(
                        entityIndex: owner.index, slot: try slot(name), owners: owners, ownersAreAll: true)
                    let all = try session.related(plan)
                    #expect(all.links == known)
                    #expect(all.rows.map { rows in (0..<rows.count).map(rows.key) } == known.map(\.target))
                    let question = """
                        SELECT count(*) FROM pg_stat_activity WHERE pid = \(session.reader.connection.process.pid) \
                        AND query LIKE '%IS NOT NULL%' AND query NOT LIKE '%ANY%'
                        """
                    #expect(try store.integer(question) == 1)
                }
            }
        }
        try store.expectFullPool()
    }

    @Test func `They take one round trip, and an error leaves the session usable`() throws {
        let owners = Array(Int64(1)...100)
        try expectThings(owners)
        let plan = RelatedPlan(entityIndex: owner.index, slot: try slot("things"), owners: owners)
        try store.execute("UPDATE \"thing\" SET \"worth\" = 'NaN' WHERE \"_id\" = 7000")
        let session = try store.write()
        defer { session.end() }
        for _ in 1...2 { expectError(.corrupt) { _ = try session.related(plan) } }
        let whole = RelatedPlan(entityIndex: owner.index, slot: try slot("items"), owners: owners)
        for trips in [2, 1] {
            let before = session.connection.roundTrips
            #expect(try session.related(whole).links.count == 25_000)
            #expect(session.connection.roundTrips <= before + trips)
        }
    }

    @Test func `One owner with many members doesn't predict those of many owners`() throws {
        let answers = ResultSizes()
        let question = ResultSizes.QueryKind.children(entityIndex: 0, slot: 1)
        answers.record(15_000, of: question, ownerCount: 1)
        #expect(!answers.expectsLargeResult(of: question, ownerCount: 1_000_000))
        answers.record(100_000, of: question, ownerCount: 1_000)
        #expect(answers.expectsLargeResult(of: question, ownerCount: 500))
        #expect(!answers.expectsLargeResult(of: question, ownerCount: 10))
        answers.record(0, of: question, ownerCount: 0)
        #expect(answers.expectsLargeResult(of: question, ownerCount: 1_000))
    }
}
#endif
