import Testing

@testable import ContextCore
@testable import StoreConformance

/// Dependents that a save deletes without loading them.
struct UnloadedDependentsTests {
    @Test(arguments: Subject.all)
    func `Only reading the deleted objects loads the dependents of a deletion`(_ subject: Subject)
        async throws
    {
        try await Self.with(subject) { store in
            let ids = try await Self.fill(store)
            var changes = store.changes.makeAsyncIterator()
            let counts = try await store.write("delete") { context in
                context.delete(try context.existingObject(with: ids[0]))
                let before = context.registeredObjects.count
                try context.save()
                let after = context.registeredObjects.count
                context.delete(try context.existingObject(with: ids[1]))
                return [before, after, context.deletedObjects.count]
            }
            #expect(counts == [1, 0, 32])
            let change = try #require(await changes.next())
            #expect(change.deleted.count == 64 && change.inserted.isEmpty && change.updated.isEmpty)
            let left = try await store.read("look") { try $0.count(FetchRequest<Room>()) }
            #expect(left == 20)
        }
    }

    @Test(arguments: Subject.all)
    func `A conflict keeps dependents that are not loaded`(_ subject: Subject) async throws {
        try await Self.with(subject) { store in
            let ids = try await Self.fill(store)
            let error = await #expect(throws: StoreError.self) {
                try await store.write("delete") { context in
                    context.delete(try context.existingObject(with: ids[0]))
                    _ = Sign(in: context, name: "stop")
                }
            }
            #expect(error?.code == .duplicate)
            let left = try await store.read("look") { try $0.count(FetchRequest<Room>()) }
            #expect(left == 60)
        }
    }

    @Test(arguments: Subject.all)
    func `A rollback restores dependents that are not loaded`(_ subject: Subject) async throws {
        try await Self.with(subject) { store in
            let ids = try await Self.fill(store)
            let counts = try await store.write("delete") { context in
                let land = try context.existingObject(with: ids[0])
                context.delete(land)
                context.rollback()
                try context.save()
                context.delete(land)
                return [try context.count(FetchRequest<Room>()), try context.count(FetchRequest<House>())]
            }
            #expect(counts == [40, 20])
        }
    }

    @Test(arguments: Subject.all)
    func `A child that can't save to the store leaves unloaded dependents to its parent`(_ subject: Subject)
        async throws
    {
        try await Self.with(subject) { store in
            let ids = try await Self.fill(store)
            let counts = try await store.write("delete") { context in
                context.delete(try context.existingObject(with: ids[0]))
                let child = context.makeChild()
                _ = Sign(in: child, name: "stop")
                let error = #expect(throws: StoreError.self) { try child.saveToStore() }
                #expect(error?.code == .duplicate)
                let pending = context.deletedObjects.count
                context.rollback()
                let kept = context.deletedObjects.count
                let rooms = try context.count(FetchRequest<Room>())
                context.delete(try context.existingObject(with: ids[1]))
                try context.save()
                return [pending, kept, rooms, try context.count(FetchRequest<Room>())]
            }
            #expect(counts == [32, 0, 60, 40])
        }
    }

    @Test(arguments: Subject.all)
    func `A child's deletion that can't be saved to the store doesn't reach its parent`(_ subject: Subject)
        async throws
    {
        try await Self.with(subject) { store in
            let ids = try await Self.fill(store)
            let counts = try await store.write("delete") { context in
                let child = context.makeChild()
                child.delete(try child.existingObject(with: ids[0]))
                _ = Sign(in: child, name: "stop")
                let error = #expect(throws: StoreError.self) { try child.saveToStore() }
                #expect(error?.code == .duplicate)
                let (above, mine) = (context.deletedObjects.count, child.deletedObjects.count)
                child.rollback()
                try context.save()
                return [above, mine, try context.count(FetchRequest<Room>())]
            }
            #expect(counts == [0, 32, 60])
        }
    }

    /// Saves a sign, and three lands with 31 dependents each.
    private static func fill(_ store: Store) async throws -> [ObjectID] {
        try await store.write("fill") { context in
            _ = Sign(in: context, name: "stop")
            let lands = (0..<3).map { Land(in: context, name: "land \($0)") }
            for land in lands {
                let town = Town(in: context, name: land.name, land: land)
                for number in 0..<10 {
                    let house = House(in: context, name: "\(number)", town: town)
                    for room in 0..<2 { _ = Room(in: context, name: "\(room)", house: house) }
                }
            }
            try context.obtainPermanentIDs(for: lands)
            return lands.map(\.objectID)
        }
    }

    private static func with(_ subject: Subject, _ body: (Store) async throws -> Void) async throws {
        let fresh = try FreshStore(subject.fixture, try ObjectModel(LandModel.classes))
        defer { fresh.remove() }
        try await body(try Store(coordinator: fresh.coordinator))
    }
}
