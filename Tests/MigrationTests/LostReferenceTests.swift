import ContextCore
import Foundation
import Testing

/// References and links to objects whose entity is no longer a destination of the relationship.
struct LostReferenceTests {
    /// The position of books and cards in the tree of items.
    private enum Place {
        case belowProduct, belowItem, alone, gone
    }

    /// Returns a model of items, products as their subentity, and books, which are products, items, a separate entity, or removed.
    private func model(_ place: Place, isOptional: Bool = true) throws -> ObjectModel {
        var book = EntityDescription("Book", attributes: [.init("pages", .int64)])
        var entities = [
            EntityDescription(
                "Item", attributes: [.init("title", .string)],
                relationships: [.init("seenBy", to: "Category", inverse: "seen", isToMany: true)]),
            EntityDescription(
                "Product", superentity: "Item", attributes: [.init("price", .int64, isOptional: true)],
                relationships: [
                    .init("categories", to: "Category", inverse: "products", isToMany: true),
                    .init("shelf", to: "Shelf", inverse: "products", isOptional: true),
                    .init("twin", to: "Product", isOptional: true),
                ]),
            EntityDescription("Toy", superentity: "Product"),
            EntityDescription(
                "Category",
                attributes: [
                    .init("name", .string),
                    .init("productCount", .int64, storage: .derived(.count(relationship: "products"))),
                ],
                relationships: [
                    .init("products", to: "Product", inverse: "categories", isToMany: true),
                    .init("best", to: "Product", isOptional: isOptional),
                    .init("seen", to: "Item", inverse: "seenBy", isToMany: true, isOrdered: true),
                ]),
            EntityDescription(
                "Shelf", attributes: [.init("name", .string)],
                relationships: [
                    .init("products", to: "Product", inverse: "shelf", isToMany: true, isOrdered: true)
                ]),
        ]
        switch place {
        case .belowProduct: book.superentityName = "Product"
        case .belowItem: book.superentityName = "Item"
        case .alone: book.attributes.append(.init("title", .string))
        case .gone: return try ObjectModel(entities: entities)
        }
        entities.append(book)
        return try ObjectModel(entities: entities)
    }

    /// Creates a store with two toys and two books, all in one category and on one shelf.
    private func makeStore(_ kind: StoreKind, best: String, isOptional: Bool = true) async throws
        -> MigratedStore
    {
        let store = try MigratedStore(kind)
        try await store.write(model(.belowProduct, isOptional: isOptional)) { context in
            let shelf = try context.make("Shelf", ["name": .string("s")])
            var products: [ManagedObject] = []
            for name in ["Toy", "Book", "Toy", "Book"] {
                let product = try context.make(name, ["title": .string(name), "price": .int(5)])
                if name == "Book" { try product.set("pages", toStored: .int(100)) }
                try product.set("shelf", to: shelf)
                try product.set("twin", to: products.last)
                products.append(product)
            }
            let category = try context.make("Category", ["name": .string("c")])
            try category.set("products", to: products)
            try category.set("seen", to: products)
            try category.set("best", to: products[best == "Book" ? 1 : 0])
        }
        return store
    }

    private func versions(
        _ place: Place, isOptional: Bool = true, accepting losses: Set<String>
    ) throws -> [ModelVersion] {
        [
            ModelVersion("V1", try model(.belowProduct, isOptional: isOptional)),
            ModelVersion(
                "V2", try model(place, isOptional: isOptional),
                hints: MigrationHints(removed: place == .gone ? ["Book"] : [], acceptedLosses: losses)),
        ]
    }

    private static let inherited: Set<String> = ["Book.categories", "Book.price", "Book.shelf", "Book.twin"]
    private static let references: Set<String> = ["Category.best", "Product.twin"]

    /// Returns the losses that a plan reports.
    private func losses(_ place: Place, isOptional: Bool = true) -> Set<String> {
        switch place {
        case .belowProduct: []
        case .belowItem: Self.inherited.union(isOptional ? Self.references : ["Product.twin"])
        case .alone: losses(.belowItem, isOptional: isOptional).union(["Book.seenBy"])
        case .gone: ["Book"]
        }
    }

    @Test(arguments: StoreKind.present, [Place.belowItem, .alone, .gone])
    private func `References and links to objects that leave are removed, and others stay`(
        _ kind: StoreKind, _ place: Place
    ) async throws {
        let store = try await makeStore(kind, best: "Book")
        let losses = losses(place)
        let versions = try versions(place, accepting: losses)
        #expect(Set(try store.plan(versions).losses) == losses)
        try await store.migrate(versions)
        let result = try await store.read(versions[1].model) { context in
            let category = try #require(try context.all("Category").first)
            let shelf = try #require(try context.all("Shelf").first)
            func keys(_ object: ManagedObject, _ name: String) throws -> [Int64] {
                try object.objects(name).map(\.objectID.key).sorted()
            }
            return (
                toys: try context.all("Toy").map(\.objectID.key), count: try category["productCount"],
                products: try keys(category, "products"), seen: try keys(category, "seen"),
                best: try category.object("best")?.objectID.key, shelf: try keys(shelf, "products"),
                twins: try context.all("Product").map { try $0.object("twin")?.objectID.key },
                books: place == .gone ? [] : try context.values("Book", "title")
            )
        }
        #expect(result.toys.count == 2)
        #expect(result.count == .int(2))
        #expect(result.products == result.toys)
        // A book that is still an item is still a member.
        #expect(result.seen.count == (place == .belowItem ? 4 : 2))
        if place != .belowItem { #expect(result.seen == result.toys) }
        #expect(result.shelf == result.toys)
        #expect(result.best == nil)
        #expect(result.twins == [nil, nil])
        #expect(result.books == (place == .gone ? [] : [.string("Book"), .string("Book")]))
        #expect(try store.drift() == [])
        if place == .belowItem {
            let rows = try store.sql(
                "SELECT count(*) FROM item WHERE price IS NULL AND shelf_id IS NULL AND twin_id IS NULL")
            #expect(rows == [[.int(2)]])
        }
    }

    @Test(arguments: StoreKind.present, [Place.belowItem, .alone])
    private func `References to objects that leave are losses that must be accepted`(
        _ kind: StoreKind, _ place: Place
    ) async throws {
        let store = try await makeStore(kind, best: "Toy")
        for loss in Self.references {
            let losses = losses(place).subtracting([loss])
            let error = await refusal { try await store.migrate(versions(place, accepting: losses)) }
            #expect(error?.code == .migrationRefused)
            #expect(error?.message.contains(loss) == true)
        }
    }

    @Test(arguments: StoreKind.present, [Place.belowItem, .alone, .gone])
    private func `A required reference to an object that leaves is rejected in the plan`(
        _ kind: StoreKind, _ place: Place
    ) async throws {
        let store = try await makeStore(kind, best: "Book", isOptional: false)
        let versions = try versions(
            place, isOptional: false, accepting: losses(place, isOptional: false))
        let error = await refusal { _ = try store.plan(versions) }
        #expect(error?.code == .migrationRefused)
        #expect(
            error?.message
                == "1 object refers by Category.best, which is required, to objects that it can't refer to after the migration."
        )
        let other = try await makeStore(kind, best: "Toy", isOptional: false)
        try await other.migrate(versions)
        let best = try await other.read(versions[1].model) {
            try $0.all("Category").first?.object("best")?.objectID.key
        }
        #expect(best == 1)
    }

    /// The required relationship of a subentity is nullable in the database, so only the plan's check protects it.
    @Test(arguments: StoreKind.present)
    func `A required reference that a subentity declares is rejected in the plan`(_ kind: StoreKind)
        async throws
    {
        func model(hasCats: Bool) throws -> ObjectModel {
            var entities = [
                EntityDescription("Animal", attributes: [.init("name", .string)]),
                EntityDescription("Dog", superentity: "Animal"),
                EntityDescription("Person", attributes: [.init("name", .string)]),
                EntityDescription(
                    "Owner", superentity: "Person",
                    relationships: [.init("pet", to: "Animal", isOptional: false)]),
            ]
            if hasCats { entities.append(EntityDescription("Cat", superentity: "Animal")) }
            return try ObjectModel(entities: entities)
        }
        let versions = [
            ModelVersion("V1", try model(hasCats: true)),
            ModelVersion(
                "V2", try model(hasCats: false),
                hints: MigrationHints(removed: ["Cat"], acceptedLosses: ["Cat"])),
        ]
        let store = try MigratedStore(kind)
        try await store.write(versions[0].model) { context in
            let cat = try context.make("Cat", ["name": .string("c")])
            let dog = try context.make("Dog", ["name": .string("d")])
            try context.make("Person", ["name": .string("p")])
            for pet in [cat, cat, dog] {
                try context.make("Owner", ["name": .string("o")]).set("pet", to: pet)
            }
        }
        let error = await refusal { _ = try store.plan(versions) }
        #expect(error?.code == .migrationRefused)
        #expect(
            error?.message
                == "2 objects refer by Owner.pet, which is required, to objects that it can't refer to after the migration."
        )
        try await store.write(versions[0].model) { context in
            let dog = try context.all("Dog").first
            for owner in try context.all("Owner") { try owner.set("pet", to: dog) }
        }
        try await store.migrate(versions)
        let pets = try await store.read(versions[1].model) { context in
            try context.all("Owner").map { try $0.object("pet")?["name"] }
        }
        #expect(pets == [.string("d"), .string("d"), .string("d")])
        #expect(try store.drift() == [])
    }

    /// Entities that leave a tree together, and refer to each other.
    @Test(arguments: StoreKind.present)
    func `References among objects that leave their tree together are removed`(_ kind: StoreKind) async throws
    {
        func model(_ isBelow: Bool) throws -> ObjectModel {
            try ObjectModel(entities: [
                .init("Employee", attributes: [.init("name", .string)]),
                .init(
                    "Manager", superentity: isBelow ? "Employee" : nil,
                    attributes: isBelow ? [] : [.init("name", .string)],
                    relationships: [.init("boss", to: "Employee", isOptional: true)]),
            ])
        }
        let store = try MigratedStore(kind)
        try await store.write(model(true)) { context in
            let worker = try context.make("Employee", ["name": .string("w")])
            let first = try context.make("Manager", ["name": .string("a")])
            let second = try context.make("Manager", ["name": .string("b")])
            try first.set("boss", to: worker)
            try second.set("boss", to: first)
        }
        let versions = [
            ModelVersion("V1", try model(true)),
            ModelVersion("V2", try model(false), hints: MigrationHints(acceptedLosses: ["Manager.boss"])),
        ]
        #expect(try store.plan(versions).losses == ["Manager.boss"])
        try await store.migrate(versions)
        #expect(try store.state().run == nil)
        let bosses = try await store.read(versions[1].model) { context in
            try context.all("Manager").map { try $0.object("boss")?.objectID.entityName }
        }
        #expect(bosses == ["Employee", nil])
        #expect(try store.drift() == [])
    }
}
