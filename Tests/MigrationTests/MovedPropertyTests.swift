import ContextCore
import Testing

/// Attributes that move to another entity of their tree.
struct MovedPropertyTests {
    @Test(arguments: StoreKind.present)
    func `An attribute that moves up sets its default in the additional objects`(
        _ kind: StoreKind
    ) async throws {
        func model(isAbove: Bool) throws -> ObjectModel {
            let note = AttributeDescription(
                "note", .string, isOptional: true, default: .value(.string("none")))
            return try ObjectModel(entities: [
                EntityDescription("Item", attributes: isAbove ? [note] : []),
                EntityDescription("Book", superentity: "Item", attributes: isAbove ? [] : [note]),
                EntityDescription("Film", superentity: "Item"),
            ])
        }
        let store = try MigratedStore(kind)
        let (old, new) = (try model(isAbove: false), try model(isAbove: true))
        try await store.write(old) { context in
            try context.make("Book", ["note": .string("own")])
            try context.make("Book", ["note": .null])
            try context.make("Film")
        }
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new)])
        let notes = try await store.read(new) { try $0.values("Item", "note") }
        #expect(notes == [.string("own"), .null, .string("none")])
    }

    /// Items, books and films share a table, so the column of a former attribute of films is that of a current attribute of books.
    @Test(arguments: StoreKind.present)
    func `A removed value doesn't reappear in another entity's attribute`(_ kind: StoreKind) async throws {
        func model(declaring owner: String, filmsAre superentity: String) throws -> ObjectModel {
            let pages = AttributeDescription("pages", .int64, isOptional: true)
            return try ObjectModel(entities: [
                EntityDescription("Item", attributes: owner == "Item" ? [pages] : []),
                EntityDescription("Book", superentity: "Item", attributes: owner == "Book" ? [pages] : []),
                EntityDescription("Film", superentity: superentity),
            ])
        }
        let store = try MigratedStore(kind)
        let first = try model(declaring: "Item", filmsAre: "Item")
        try await store.write(first) { context in
            try context.make("Film", ["pages": .int(7)])
            try context.make("Book", ["pages": .int(8)])
        }
        let second = ModelVersion("V2", try model(declaring: "Book", filmsAre: "Item"))
        let losses = try ModelTransition(from: ModelVersion("V1", first), to: second).losses
        var accepted = second
        accepted.hints.acceptedLosses = Set(losses)
        let third = try model(declaring: "Book", filmsAre: "Book")
        try await store.migrate([ModelVersion("V1", first), accepted, ModelVersion("V3", third)])
        let pages = try await store.read(third) { context in
            [try context.values("Film", "pages"), try context.values("Book", "pages")]
        }
        #expect(pages == [[.null], [.null, .int(8)]])
    }
}
