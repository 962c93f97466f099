import ContextCore
import Testing

/// Losses that an automatic migration avoids when a relationship gets a table of links.
struct SparedLinkTests {
    /// The former kind of an owner's relationship to pets.
    private enum Before: CaseIterable {
        case toOne, oneToMany
    }

    private func oldModel(_ before: Before) throws -> ObjectModel {
        let isToMany = before == .oneToMany
        return try model(
            pets: .init("pets", to: "Animal", inverse: isToMany ? "owners" : nil, isToMany: isToMany),
            owners: isToMany ? [.init("owners", to: "Owner", inverse: "pets")] : [],
            cat: EntityDescription("Cat", superentity: "Animal"))
    }

    private func newModel() throws -> ObjectModel {
        try model(
            pets: .init("pets", to: "Animal", inverse: "owners", isToMany: true),
            owners: [.init("owners", to: "Owner", inverse: "pets", isToMany: true)],
            cat: EntityDescription("Cat", attributes: [.init("name", .string)]))
    }

    private func model(
        pets: RelationshipDescription, owners: [RelationshipDescription], cat: EntityDescription
    ) throws -> ObjectModel {
        try ObjectModel(entities: [
            EntityDescription("Owner", attributes: [.init("name", .string)], relationships: [pets]),
            EntityDescription("Animal", attributes: [.init("name", .string)], relationships: owners),
            EntityDescription("Dog", superentity: "Animal"), cat,
        ])
    }

    @Test(arguments: StoreKind.present, Before.allCases)
    private func `Links to objects that leave are counted like references before`(
        _ kind: StoreKind, _ before: Before
    ) async throws {
        let (old, new) = (try oldModel(before), try newModel())
        let versions = [ModelVersion("V1", old), ModelVersion("V2", new)]
        let losses = Set(try ModelTransition(from: versions[0], to: versions[1]).losses)
        // If there was an inverse, the loss of the inverse includes the links.
        let loss = before == .toOne ? "Owner.pets" : "Cat.owners"
        #expect(losses == [loss])
        var options = MigrationOptions()
        options.removedOnlyIfEmpty = losses
        for pet in ["Cat", "Dog"] {
            let store = try MigratedStore(kind)
            try await store.write(old) { context in
                let animal = try context.make(pet, ["name": .string("p")])
                let owner = try context.make("Owner", ["name": .string("o")])
                if before == .toOne {
                    try owner.set("pets", to: animal)
                } else {
                    try owner.set("pets", to: [animal])
                }
            }
            let error = await refusal { try await store.migrate(versions, options) }
            if pet == "Cat" {
                #expect(error?.code == .migrationRefused)
                #expect(error?.message.contains("1 object has data in \(loss)") == true)
                #expect(try store.state().models.count == 1)
            } else {
                #expect(error == nil)
                let pets = try await store.read(new) { context in
                    try context.all("Owner").map { try $0.objects("pets").count }
                }
                #expect(pets == [1])
            }
        }
    }
}
