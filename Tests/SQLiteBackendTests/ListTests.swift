#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

struct ListTests {
    private let store: TemporaryStore
    private let game: EntityLayout

    init() throws {
        store = try TemporaryStore()
        let game = try #require(store.model.layout(named: "Game"))
        self.game = game
        let values = (0..<50).map { (Int64($0 + 1), Self.values($0)) }
        try store.save { changes, model in
            changes.inserts = [.init(entityIndex: game.index, rows: try model.rows("Game", values))]
        }
    }

    private static func values(_ number: Int) -> [String: StoredValue] {
        var values: [String: StoredValue] = [:]
        values["title"] = .string("title “\(number)” \\\"")
        values["weight"] = .double(Double(number) / 10)
        values["price"] = .decimal(Decimal(number) / 4)
        values["huge"] = .decimal(Decimal(number) / 8)
        values["startedAt"] = .timestamp(microseconds: Int64(number) - 25)
        values["data"] = .data(Data([UInt8(number), 0]))
        values["uuid"] = .uuid(uuid(number))
        return values
    }

    private static func uuid(_ number: Int) -> UUID {
        UUID(uuid: (UInt8(number), 1, 2, 3, 4, 5, 64, 7, 128, 9, 10, 11, 12, 13, 14, 255))
    }

    private func count(_ path: PropertyPath, _ values: [StoredValue]) throws -> Int {
        let list = FetchExpression.list(values.map { .literal($0) })
        let predicate = try FetchPredicate.comparing(.path(path), .in, list).resolved(
            for: game, in: store.model)
        return try store.read { try $0.fetch(FetchPlan(entityIndex: game.index, predicate: predicate)).count }
    }

    @Test func `Long lists of every type are one value`() throws {
        let numbers = Array(stride(from: 0, to: 80, by: 2))
        #expect(try count("title", numbers.map { .string("title “\($0)” \\\"") }) == 25)
        #expect(try count("weight", numbers.map { .double(Double($0) / 10) }) == 25)
        #expect(try count("price", numbers.map { .decimal(Decimal($0) / 4) }) == 25)
        #expect(try count("huge", numbers.map { .decimal(Decimal($0) / 8) }) == 25)
        #expect(try count("startedAt", numbers.map { .timestamp(microseconds: Int64($0) - 25) }) == 25)
        #expect(try count("data", numbers.map { .data(Data([UInt8($0), 0])) }) == 25)
        #expect(try count("uuid", numbers.map { .uuid(Self.uuid($0)) }) == 25)
    }

    @Test func `A list may have hundreds of thousands of values`() throws {
        #expect(try count("startedAt", (0..<300_000).map { .timestamp(microseconds: $0 - 100) }) == 50)
    }
}
#endif
