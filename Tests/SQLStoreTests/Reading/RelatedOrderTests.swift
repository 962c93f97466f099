import ContextCore
import RandomSeeds
import Testing

@testable import SQLStore

/// Links are returned in the documented order, whatever the order in which a database finds them.
struct RelatedOrderTests {
    @Test func `An owner that is requested twice has all its links in one place`() {
        let links = [(1, 1), (2, 2), (1, 3)].map { RelatedRows.Link(owner: $0, target: $1) }
        let related = RelatedRows(found: links, of: [1, 2, 1], rows: nil)
        #expect(related.links.map(\.target) == [1, 3, 2])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `Owners are in the requested order, and links by position and key`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Some owners occur twice, and some have no links; the tables contain links of others, too.
        let owners = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            Int64.random(in: 1...9, using: &random)
        }
        let isOrdered = Bool.random(using: &random)
        var links = Set(
            (0..<Int.random(in: 0...40, using: &random)).map { _ in
                RelatedRows.Link(
                    owner: .random(in: 1...9, using: &random), target: .random(in: 1...30, using: &random),
                    position: isOrdered ? .random(in: 0...3, using: &random) : 0)
            }
        ).shuffled(using: &random)
        if Bool.random(using: &random) { links.sort { ($0.owner, $0.target) < ($1.owner, $1.target) } }

        var seen: Set<Int64> = []
        let expected = owners.filter { seen.insert($0).inserted }.flatMap { owner in
            links.filter { $0.owner == owner }.sorted { ($0.position, $0.target) < ($1.position, $1.target) }
        }
        #expect(RelatedRows(found: links, of: owners, rows: nil).links == expected, "seed \(seed)")
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `Rows are in the order of their links, each with its own values`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let model = try Self.members()
        let member = try #require(model.layout(named: "Member"))
        let leader = try #require(model.layout(named: "Leader"))
        let owners = (Int64(1)...6).shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
        // With rows of one size, or of several.
        let entities = Bool.random(using: &random) ? [member] : [member, leader]
        let isOrdered = Bool.random(using: &random)
        var positions: [Int64] = []
        var expected: [Int64: [(position: Int64, key: Int64)]] = [:]
        var builder = RowBatchBuilder(model: model)
        for key in (Int64(1)...40).shuffled(using: &random).prefix(Int.random(in: 0...40, using: &random)) {
            let (owner, position) = (
                Int64.random(in: 1...6, using: &random), Int64.random(in: 0...2, using: &random)
            )
            let entity = try #require(entities.randomElement(using: &random))
            builder.beginRow(key: key, version: key + 1, entityIndex: entity.index)
            for (name, value) in [
                ("name", StoredValue.string("member \(key)")), ("team", .int(owner)), ("rank", .int(key * 2)),
            ] {
                guard let column = entity.property(named: name)?.columns.first else { continue }
                builder.set(column, to: value)
            }
            positions.append(position)
            expected[owner, default: []].append((isOrdered ? position : 0, key))
        }
        let slot = try #require(member.property(named: "team")).slot
        let related = try RelatedRows(
            found: builder, through: slot, positions: isOrdered ? positions : nil, of: Array(owners))
        let links = owners.flatMap { owner in
            expected[owner, default: []].sorted { $0 < $1 }.map {
                RelatedRows.Link(owner: owner, target: $0.key, position: $0.position)
            }
        }
        #expect(related.links == links, "seed \(seed)")
        let rows = try #require(related.rows)
        #expect((0..<rows.count).map(rows.key) == links.map(\.target), "seed \(seed)")
        for row in 0..<rows.count {
            let (key, entity) = (rows.key(at: row), model.layouts[rows.entityIndex(at: row)])
            #expect(rows.version(at: row) == key + 1, "seed \(seed)")
            let name = try #require(entity.property(named: "name")?.columns.first)
            #expect(rows.value(name, at: row) == .string("member \(key)"), "seed \(seed)")
            guard let rank = entity.property(named: "rank")?.columns.first else { continue }
            #expect(rows.value(rank, at: row) == .int(key * 2), "seed \(seed)")
        }
    }

    private static func members() throws -> ObjectModel {
        try ObjectModel(entities: [
            EntityDescription(
                "Team", attributes: [AttributeDescription("name", .string)],
                relationships: [
                    RelationshipDescription("members", to: "Member", inverse: "team", isToMany: true)
                ]),
            EntityDescription(
                "Member", attributes: [AttributeDescription("name", .string)],
                relationships: [RelationshipDescription("team", to: "Team", inverse: "members")]),
            EntityDescription(
                "Leader", superentity: "Member", attributes: [AttributeDescription("rank", .int64)]),
        ])
    }
}
