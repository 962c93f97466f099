import ContextCore
import Testing

/// To-one relationships that get a to-one inverse, or another inverse.
struct OneToOneTests {
    /// Returns a model of lists that refer to items, and items that refer back, to other lists, or to none.
    private func model(
        inverse: String?, other: String? = nil, superentity: String? = nil
    ) throws -> ObjectModel {
        let back = [
            inverse.map { RelationshipDescription($0, to: "List", inverse: "item") },
            other.map { RelationshipDescription($0, to: "List") },
        ].compactMap(\.self)
        return try ObjectModel(entities: [
            EntityDescription("Order", isAbstract: true),
            EntityDescription(
                "List", superentity: superentity, attributes: [.init("name", .string, isOptional: true)],
                relationships: [.init("item", to: "Item", inverse: inverse)]),
            EntityDescription(
                "Item", attributes: [.init("name", .string, isOptional: true)], relationships: back),
        ])
    }

    private func fill(_ store: MigratedStore, _ model: ObjectModel, sharing: Bool) async throws {
        try await store.write(model) { context in
            let items = try ["a", "b"].map { try context.make("Item", ["name": .string($0)]) }
            for number in 0..<2 {
                let list = try context.make("List", ["name": .string("\(number)")])
                try list.set("item", to: items[sharing ? 0 : 1 - number])
            }
        }
    }

    @Test(arguments: StoreKind.present)
    func `A new to-one inverse refers to the objects that refer to its owner`(_ kind: StoreKind)
        async throws
    {
        let store = try MigratedStore(kind)
        let (old, new) = (try model(inverse: nil), try model(inverse: "list"))
        try await fill(store, old, sharing: false)
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        let names = try await store.read(new) { context in
            try context.all("Item").map { try $0.object("list")?["name"] }
        }
        #expect(names == [.string("1"), .string("0")])
        #expect(store.storectl("check").isDone)
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present)
    func `An inverse that is added when the objects leave their tree does too`(_ kind: StoreKind)
        async throws
    {
        let store = try MigratedStore(kind)
        let (old, new) = (try model(inverse: nil, superentity: "Order"), try model(inverse: "list"))
        try await fill(store, old, sharing: false)
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        let names = try await store.read(new) { context in
            try context.all("Item").map { try $0.object("list")?["name"] }
        }
        #expect(names == [.string("1"), .string("0")])
        #expect(store.storectl("check").isDone)
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present)
    func `Two objects that refer to one prevent a new to-one inverse`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        let (old, new) = (try model(inverse: nil), try model(inverse: "list"))
        try await fill(store, old, sharing: true)
        let error = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        }
        #expect(error?.code == .migrationRefused)
        #expect(error?.message.contains("List.item") == true)
        #expect(try store.state().models.last?.fingerprint == old.fingerprint)
    }

    @Test(arguments: StoreKind.present)
    func `Two existing relationships don't become each other's inverse implicitly`(
        _ kind: StoreKind
    ) async throws {
        let store = try MigratedStore(kind)
        let (old, new) = (try model(inverse: nil, other: "list"), try model(inverse: "list"))
        try await fill(store, old, sharing: false)
        try await store.write(old) { context in
            let (items, lists) = (try context.all("Item"), try context.all("List"))
            try items[0].set("list", to: lists[0])
        }
        let error = await refusal {
            try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        }
        #expect(error?.code == .migrationRefused)
        #expect(error?.message.contains("inverse") == true)
        #expect(try store.state().models.last?.fingerprint == old.fingerprint)
    }
}
