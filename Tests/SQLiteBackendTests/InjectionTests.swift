#if SQLite
import RandomSeeds
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// SQL injection: texts from outside are only used as names or values.
///
/// They may change data, but not the schema.
///
/// `INJECTION_SEED` repeats the seed that a failure has reported.
struct InjectionTests {
    /// Fragments of SQL, and texts that resemble SQL.
    private static let pieces = [
        "'", "\"", "`", "]", ";", "--", "/*", "*/", "\\", "%", "_", "?1", "$1", ":a", "@b", " OR 1=1 ",
        "DROP TABLE game",
        "\"; DELETE FROM \"game\"; --", "ʼ", "＂", "；", "′", "\u{202E}", "\n", "\t", "x'00'", "NULL", ")", "(",
        "é",
    ]

    private let store: TemporaryStore
    private let game: EntityLayout
    private let seed: UInt64

    init() throws {
        seed =
            ProcessInfo.processInfo.environment["INJECTION_SEED"].flatMap { UInt64($0) }
            ?? .random(in: .min ... .max)
        store = try TemporaryStore()
        game = try #require(store.model.layout(named: "Game"))
    }

    private func schema() throws -> [String] {
        let connection = try SQLiteConnection(path: store.path, access: .read, timeout: .seconds(5))
        defer { connection.close() }
        let statement = try connection.statement(
            "SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
        defer { statement.reset() }
        var lines: [String] = []
        while try statement.step() { lines.append(try statement.text(0)) }
        return lines
    }

    private func text(_ random: inout some RandomNumberGenerator) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? ""
        }
        .joined()
    }

    @Test func `Values of every kind stay values`() throws {
        var random = SeededRandom(seed: seed)
        let before = try schema()
        let title = try #require(game.columns.firstIndex { $0.name == "title" })
        for key in 1...60 {
            let text = "\(text(&random))\(key)"
            try store.save { changes, model in
                changes.author = text
                changes.contextName = text
                let row = try model.rows(
                    "Game", [(Int64(key), ["title": .string(text), "data": .data(Data(text.utf8))])])
                changes.inserts = [.init(entityIndex: game.index, rows: row)]
            }
            try store.write { try $0.setUserInfo([text: text]) }
            #expect(try store.coordinator.metadata().userInfo == [text: text], "seed \(seed): \(text)")
            try store.read { session in
                let sign: [ComparisonOperator] = [.equal, .beginsWith, .endsWith, .contains]
                for sign in sign {
                    let predicate = FetchPredicate.comparing(.path("title"), sign, .literal(.string(text)))
                    let plan = FetchPlan(
                        entityIndex: game.index, predicate: try predicate.resolved(for: game, in: store.model)
                    )
                    let rows = try session.fetch(plan)
                    #expect(
                        (0..<rows.count).contains { rows.value(title, at: $0) == .string(text) },
                        "seed \(seed): \(text)")
                }
            }
        }
        #expect(try schema() == before, "seed \(seed)")
        let count = try store.read { try $0.fetch(FetchPlan(entityIndex: game.index)).count }
        #expect(count == 60, "seed \(seed)")
    }

    @Test func `Names that no model has are rejected before any SQL`() throws {
        var random = SeededRandom(seed: seed)
        let before = try schema()
        for _ in 0..<200 {
            // Names in a model can't contain quotes.
            let name = text(&random) + "\""
            let path = PropertyPath([name])
            #expect(throws: StoreError.self, "seed \(seed): \(name)") {
                try FetchPredicate.comparing(.path(path), .equal, .literal(.int(1))).resolved(
                    for: game, in: store.model)
            }
            #expect(throws: StoreError.self, "seed \(seed): \(name)") {
                try SortKey(path).resolved(for: game, in: store.model)
            }
            #expect(throws: StoreError.self, "seed \(seed): \(name)") {
                try RequestChecker(game, in: store.model, groupedBy: []).expression(
                    .aggregate(FetchAggregate(.sum, of: .itself, tail: [name])))
            }
            #expect(throws: (any Error).self, "seed \(seed): \(name)") {
                try ObjectModel(entities: [
                    EntityDescription("Thing", attributes: [AttributeDescription(name, .string)])
                ])
            }
            #expect(throws: (any Error).self, "seed \(seed): \(name)") {
                try ObjectModel(entities: [EntityDescription(name)])
            }
        }
        #expect(try schema() == before, "seed \(seed)")
    }

    @Test func `Predicates with any text are rejected or evaluated, and change nothing`() throws {
        var random = SeededRandom(seed: seed)
        try store.save { changes, model in
            let rows = try model.rows("Game", [(1, ["title": .string("Go")])])
            changes.inserts = [.init(entityIndex: game.index, rows: rows)]
        }
        let before = try schema()
        let words = [
            "title", " = ", "\"", "'", " AND ", " OR ", "NOT ", "(", ")", "players.@count", " IN {", "}",
            " 1 ",
        ]
        var answered = 0
        for _ in 0..<2000 {
            let tail = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                Bool.random(using: &random) ? text(&random) : words.randomElement(using: &random) ?? ""
            }
            let quoted = text(&random).replacing("\\", with: "").replacing("\"", with: "")
            let written = "title != \"\(quoted)\"" + tail.joined()
            let predicate: ResolvedPredicate
            do {
                predicate = try FetchPredicate(written).resolved(for: game, in: store.model)
            } catch {
                continue
            }
            let rows = try store.read {
                try $0.fetch(FetchPlan(entityIndex: game.index, predicate: predicate)).count
            }
            #expect(rows <= 1, "seed \(seed): \(written)")
            answered += 1
        }
        #expect(answered > 100)
        #expect(try schema() == before, "seed \(seed)")
        #expect(try store.read { try $0.fetch(FetchPlan(entityIndex: game.index)).count } == 1)
    }

    @Test func `SQL keywords are names like others`() throws {
        let names = [
            "select", "from", "where", "group", "order", "join", "table", "index", "values", "null",
            "primary",
            "rowid", "oid", "true", "current_date", "SELECT_", "unique", "check",
        ]
        let entities = ["Select", "Table", "Order", "Sqlite", "Union", "Rowid"].map { name in
            EntityDescription(name, attributes: names.map { AttributeDescription($0, .string) })
        }
        let store = try TemporaryStore(try ObjectModel(entities: entities))
        for layout in store.model.layouts {
            let values = Dictionary(uniqueKeysWithValues: names.map { ($0, StoredValue.string("'\($0)\"")) })
            try store.save { changes, model in
                changes.inserts = [
                    .init(entityIndex: layout.index, rows: try model.rows(layout.name, [(1, values)]))
                ]
            }
            for name in names {
                let predicate = FetchPredicate.comparing(
                    .path(PropertyPath([name])), .equal, .literal(.string("'\(name)\"")))
                let plan = FetchPlan(
                    entityIndex: layout.index,
                    predicate: try predicate.resolved(for: layout, in: store.model),
                    order: [try SortKey(PropertyPath([name])).resolved(for: layout, in: store.model)])
                #expect(try store.read { try $0.fetch(plan).count } == 1, "\(layout.name).\(name)")
            }
        }
    }
}
#endif
