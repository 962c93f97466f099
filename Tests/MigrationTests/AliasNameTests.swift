import ContextCore
import Testing

/// Entities with the names of aliases in migration statements.
struct AliasNameTests {
    private func model(isBelow: Bool, rule: DeleteRule = .nullify) throws -> ObjectModel {
        try ObjectModel(entities: [
            EntityDescription(
                "Target", attributes: [.init("title", .string)],
                relationships: [
                    .init("parent", to: "Target", isOptional: true),
                    .init("keeper", to: "Admin", inverse: "kept", isOptional: true),
                ]),
            EntityDescription("Special", superentity: "Target"),
            EntityDescription(
                "Leaf", superentity: isBelow ? "Target" : nil,
                attributes: isBelow ? [] : [.init("title", .string)]),
            EntityDescription("Person", attributes: [.init("name", .string)]),
            EntityDescription(
                "Admin", superentity: "Person",
                relationships: [
                    .init("kept", to: "Target", inverse: "keeper", isToMany: true, deleteRule: rule)
                ]),
        ])
    }

    private func makeStore(_ kind: StoreKind, _ model: ObjectModel) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model) { context in
            let admin = try context.make("Admin", ["name": .string("a")])
            let first = try context.make("Target", ["title": .string("first")])
            let leaf = try context.make("Leaf", ["title": .string("leaf")])
            for (title, parent) in [("second", first), ("third", leaf)] {
                let target = try context.make("Target", ["title": .string(title)])
                try target.set("parent", to: parent)
                try target.set("keeper", to: admin)
            }
            try context.make("Special", ["title": .string("special")]).set("parent", to: first)
        }
        return store
    }

    @Test(arguments: StoreKind.present)
    func `An entity called Target keeps its references`(_ kind: StoreKind) async throws {
        let old = try model(isBelow: true)
        let store = try await makeStore(kind, old)
        let losses: Set<String> = ["Leaf.keeper", "Leaf.parent", "Target.parent"]
        let versions = [
            ModelVersion("V1", old),
            ModelVersion("V2", try model(isBelow: false), hints: MigrationHints(acceptedLosses: losses)),
        ]
        #expect(Set(try store.plan(versions).losses) == losses)
        try await store.migrate(versions)
        let found = try await store.read(versions[1].model) { context in
            try context.all("Target").map { target in
                [
                    try target["title"], try target.object("parent")?["title"] ?? .null,
                    try target.object("keeper")?["name"] ?? .null,
                ]
            }
        }
        #expect(
            found == [
                [.string("first"), .null, .null],
                [.string("second"), .string("first"), .string("a")],
                [.string("third"), .null, .string("a")],
                [.string("special"), .string("first"), .null],
            ])
    }

    @Test(arguments: StoreKind.present)
    func `References of an entity called Target become checked ones`(_ kind: StoreKind) async throws {
        let old = try model(isBelow: true, rule: .noAction)
        let store = try await makeStore(kind, old)
        let new = try model(isBelow: true)
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        let keepers = try await store.read(new) { context in
            try context.all("Target").compactMap { try $0.object("keeper")?["name"] }
        }
        #expect(keepers == [.string("a"), .string("a")])
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present)
    func `An entity called Given gets an attribute with a different default for each object`(
        _ kind: StoreKind
    ) async throws {
        func model(_ attributes: [AttributeDescription]) throws -> ObjectModel {
            try ObjectModel(entities: [.init("Given", attributes: [.init("value", .string)] + attributes)])
        }
        let (old, new) = (try model([]), try model([.init("id", .uuid, default: .newUUID)]))
        let store = try MigratedStore(kind)
        try await store.write(old) { context in
            for text in ["a", "b"] { try context.make("Given", ["value": .string(text)]) }
        }
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        let identifiers = try await store.read(new) { try $0.values("Given", "id") }
        #expect(Set(identifiers).count == 2)
        #expect(!identifiers.contains(.null))
    }
}
