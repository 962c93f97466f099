import ContextCore
import Foundation
import Testing

/// Migrations in which tables, indexes and columns exchange or inherit names.
struct MovedNameTests {
    private func model(
        orderIsIndexed: Bool = false, itemIsIndexed: Bool = false, hasNameEntity: Bool = false
    ) throws -> ObjectModel {
        var entities = [
            EntityDescription(
                "Order", attributes: [.init("itemName", .string)],
                indexes: orderIsIndexed ? [.init(["itemName"])] : []),
            EntityDescription(
                "OrderItem", attributes: [.init("name", .string)],
                indexes: itemIsIndexed ? [.init(["name"])] : []),
        ]
        if hasNameEntity { entities.append(.init("OrderItemName", attributes: [.init("text", .string)])) }
        return try ObjectModel(entities: entities)
    }

    @Test(arguments: StoreKind.present)
    func `Indexes and tables may get the former names of others`(_ kind: StoreKind) async throws {
        let models = [
            try model(), try model(itemIsIndexed: true), try model(orderIsIndexed: true),
            try model(orderIsIndexed: true, itemIsIndexed: true),
            try model(orderIsIndexed: true, itemIsIndexed: true, hasNameEntity: true),
            try model(itemIsIndexed: true, hasNameEntity: true),
        ]
        for (first, old) in models.enumerated() {
            for (second, new) in models.enumerated() where first != second {
                let isRemoved = new.layout(named: "OrderItemName") == nil
                let losses: Set<String> =
                    isRemoved && old.layout(named: "OrderItemName") != nil ? ["OrderItemName"] : []
                let store = try MigratedStore(kind)
                try await store.write(old) { context in
                    try context.make("Order", ["itemName": .string("a")])
                    try context.make("OrderItem", ["name": .string("b")])
                }
                let versions = [
                    ModelVersion("V1", old),
                    ModelVersion("V2", new, hints: MigrationHints(acceptedLosses: losses)),
                ]
                try await store.migrate(versions)
                #expect(try store.drift() == [], "\(first) to \(second)")
                let names = try await store.read(new) { context in
                    try context.values("Order", "itemName") + context.values("OrderItem", "name")
                }
                #expect(names == [.string("a"), .string("b")])
            }
        }
    }

    @Test(arguments: StoreKind.present)
    func `Names with equal first sixty bytes migrate`(_ kind: StoreKind) async throws {
        let stem = String(repeating: "a", count: 60)
        func model(_ type: AttributeType) throws -> ObjectModel {
            try ObjectModel(entities: [
                .init(
                    "Place",
                    attributes: ["A", "B", "C"].map { .init(stem + $0, type) },
                    indexes: ["A", "B", "C"].map { .init([.init(stem + $0)]) })
            ])
        }
        let store = try MigratedStore(kind)
        try await store.write(model(.int32)) { context in
            try context.make("Place", [stem + "A": .int(1), stem + "B": .int(2), stem + "C": .int(3)])
        }
        let conversions = Dictionary(
            uniqueKeysWithValues: ["A", "B", "C"].map { ("Place." + stem + $0, stem + $0 + " + 10") })
        let versions = [
            ModelVersion("V1", try model(.int32)),
            ModelVersion("V2", try model(.string), hints: MigrationHints(conversions: conversions)),
        ]
        try await store.migrate(versions)
        #expect(try store.drift() == [])
        let values = try await store.read(versions[1].model) { context in
            try ["A", "B", "C"].flatMap { try context.values("Place", stem + $0) }
        }
        #expect(values == [.string("11"), .string("12"), .string("13")])
    }

    @Test(arguments: StoreKind.present)
    func `Links keep the order of their key when an entity is renamed or an order is added`(_ kind: StoreKind)
        async throws
    {
        func model(_ book: String, isOrdered: Bool) throws -> ObjectModel {
            try ObjectModel(entities: [
                .init(
                    book, attributes: [.init("title", .string)],
                    relationships: [.init("authors", to: "Human", inverse: "books", isToMany: true)],
                    renamingIdentifier: "Book"),
                .init(
                    "Human", attributes: [.init("name", .string)],
                    relationships: [
                        .init("books", to: book, inverse: "authors", isToMany: true, isOrdered: isOrdered)
                    ]),
            ])
        }
        for (book, isOrdered) in [("Zine", false), ("Book", true), ("Zine", true)] {
            let store = try MigratedStore(kind)
            try await store.write(model("Book", isOrdered: false)) { context in
                let human = try context.make("Human", ["name": .string("h")])
                let books = try ["a", "b"].map { try context.make("Book", ["title": .string($0)]) }
                try human.set("books", to: books)
            }
            let newer = try model(book, isOrdered: isOrdered)
            try await store.migrate([
                ModelVersion("V1", try model("Book", isOrdered: false)), ModelVersion("V2", newer),
            ])
            #expect(try store.drift() == [], "\(book) \(isOrdered)")
            let titles = try await store.read(newer) { context in
                try context.all("Human").first?.objects("books").map { try $0["title"] } ?? []
            }
            #expect(Set(titles) == [.string("a"), .string("b")])
        }
    }

    @Test(arguments: StoreKind.present)
    func `Two attributes that exchange their names keep values and partial indexes`(_ kind: StoreKind)
        async throws
    {
        func model(isExchanged: Bool) throws -> ObjectModel {
            try ObjectModel(entities: [
                .init(
                    "Team",
                    attributes: [
                        .init("won", .int64, renamingIdentifier: isExchanged ? "lost" : nil),
                        .init("lost", .int64, renamingIdentifier: isExchanged ? "won" : nil),
                        .init("name", .string),
                    ], indexes: [.init(["name"], where: "won > 10")])
            ])
        }
        let (old, new) = (try model(isExchanged: false), try model(isExchanged: true))
        #expect(old.fingerprint != new.fingerprint)
        let store = try MigratedStore(kind)
        try await store.write(old) { context in
            for index in 0..<20 {
                try context.make(
                    "Team", ["won": .int(Int64(index)), "lost": .int(100), "name": .string("t\(index)")])
            }
        }
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        #expect(try store.drift() == [])
        let counts = try await store.read(new) { context in
            [
                try context.values("Team", "lost") == (0..<20).map { .int($0) },
                try context.count(
                    FetchRequest<ManagedObject>(entityName: "Team", where: FetchPredicate("won > 10"))) == 20,
            ]
        }
        #expect(counts == [true, true])
    }
}
