#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// The model of these tests: games with players, and ordered tags.
enum GamesModel {
    static func make() throws -> ObjectModel {
        try ObjectModel(entities: [game, player, tag])
    }

    private static let game = EntityDescription(
        "Game",
        attributes: [
            AttributeDescription("title", .string),
            AttributeDescription("price", .decimal(precision: 9, scale: 2), isOptional: true),
            AttributeDescription("startedAt", .date, isOptional: true),
            AttributeDescription("data", .data, isOptional: true),
            AttributeDescription("uuid", .uuid, isOptional: true),
            AttributeDescription("weight", .double, isOptional: true),
            AttributeDescription("huge", .decimal(precision: 38, scale: 10), isOptional: true),
        ],
        relationships: [
            RelationshipDescription(
                "players", to: "Player", inverse: "game", isToMany: true, isOrdered: true),
            RelationshipDescription("tags", to: "Tag", inverse: "games", isToMany: true),
        ],
        uniqueConstraints: [UniqueConstraint(["title"])])

    private static let player = EntityDescription(
        "Player",
        attributes: [AttributeDescription("name", .string), AttributeDescription("score", .int64)],
        relationships: [RelationshipDescription("game", to: "Game", inverse: "players")])

    private static let tag = EntityDescription(
        "Tag", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("games", to: "Game", inverse: "tags", isToMany: true)])
}

extension ObjectModel {
    /// Builds rows of an entity: each one a key, and values by property name.
    func rows(_ entity: String, version: Int64 = 1, _ rows: [(Int64, [String: StoredValue])]) throws
        -> RowBatch
    {
        let layout = try #require(self.layout(named: entity))
        var builder = RowBatchBuilder(model: self)
        for (key, values) in rows {
            builder.beginRow(key: key, version: version, entityIndex: layout.index)
            for (name, value) in values {
                let column = try #require(layout.columns.firstIndex { $0.name == name })
                builder.set(column, to: value)
            }
        }
        return try builder.finish()
    }

    func index(_ entity: String) throws -> Int {
        try #require(self.layout(named: entity)).index
    }
}
#endif
