import ContextCore
import Testing

/// References that may be dangling, since their inverse has the delete rule `noAction`.
struct UncheckedReferenceTests {
    /// The position of cats in the model.
    private enum Cats {
        case amongAnimals, alone, gone
    }

    private func model(_ cats: Cats, isOptional: Bool = true, rule: DeleteRule = .noAction) throws
        -> ObjectModel
    {
        var entities = [
            EntityDescription(
                "Animal", attributes: [.init("name", .string)],
                relationships: [
                    .init("owners", to: "Owner", inverse: "pet", isToMany: true, deleteRule: rule)
                ]),
            EntityDescription("Dog", superentity: "Animal"),
            EntityDescription(
                "Owner",
                relationships: [.init("pet", to: "Animal", inverse: "owners", isOptional: isOptional)]),
        ]
        switch cats {
        case .amongAnimals: entities.append(EntityDescription("Cat", superentity: "Animal"))
        case .alone: entities.append(EntityDescription("Cat", attributes: [.init("name", .string)]))
        case .gone: break
        }
        return try ObjectModel(entities: entities)
    }

    /// Creates a store with three owners: of a cat, of a dog, and of a dog that was deleted.
    private func makeStore(_ kind: StoreKind, isOptional: Bool = true) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model(.amongAnimals, isOptional: isOptional)) { context in
            for name in ["Cat", "Dog", "Dog"] {
                let pet = try context.make(name, ["name": .string(name)])
                try context.make("Owner").set("pet", to: pet)
            }
        }
        try await store.write(model(.amongAnimals, isOptional: isOptional)) { context in
            context.delete(try #require(try context.all("Dog").last))
        }
        return store
    }

    private func versions(_ cats: Cats, isOptional: Bool = true, accepting losses: Set<String>) throws
        -> [ModelVersion]
    {
        let removed: Set<String> = cats == .gone ? ["Cat"] : []
        return [
            ModelVersion("V1", try model(.amongAnimals, isOptional: isOptional)),
            ModelVersion(
                "V2", try model(cats, isOptional: isOptional),
                hints: MigrationHints(removed: removed, acceptedLosses: losses)),
        ]
    }

    private func pets(_ store: MigratedStore) throws -> [StoredValue] {
        try store.sql("SELECT pet_id FROM owner ORDER BY _id").map { $0[0] }
    }

    @Test(arguments: StoreKind.present)
    func `Only references to objects that leave are removed, and dangling ones stay`(_ kind: StoreKind)
        async throws
    {
        let store = try await makeStore(kind)
        let before = try pets(store)
        try #require(before.count == 3 && !before.contains(.null))
        let losses: Set<String> = ["Cat.owners", "Owner.pet"]
        let versions = try versions(.alone, accepting: losses)
        #expect(Set(try store.plan(versions).losses) == losses)
        try await store.migrate(versions)
        #expect(try pets(store) == [.null] + before.dropFirst())
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present, [true, false])
    func `References to objects of a removed entity may dangle, even if they are required`(
        _ kind: StoreKind, _ isOptional: Bool
    ) async throws {
        let store = try await makeStore(kind, isOptional: isOptional)
        let before = try pets(store)
        let versions = try versions(.gone, isOptional: isOptional, accepting: ["Cat"])
        let plan = try store.plan(versions)
        #expect(plan.losses == ["Cat"])
        try await store.migrate(versions)
        #expect(try pets(store) == before)
        #expect(try store.drift() == [])
    }

    @Test(arguments: StoreKind.present)
    func `References become checked if each refers to an object`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind)
        let versions = [
            ModelVersion("V1", try model(.amongAnimals)),
            ModelVersion("V2", try model(.amongAnimals, rule: .nullify)),
        ]
        let error = await refusal { try await store.migrate(versions) }
        #expect(error?.code == .migrationRefused)
        #expect(error?.message.contains("1 reference of owner (pet_id) is dangling") == true)
        try store.sql("DELETE FROM owner WHERE _id = (SELECT max(_id) FROM owner)")
        try await store.migrate(versions)
        #expect(try pets(store).contains(.null) == false)
    }
}
