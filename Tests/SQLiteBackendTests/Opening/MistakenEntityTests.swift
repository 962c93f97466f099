#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

@Entity private class Animal: ManagedObject {
    var name: String
}

@Entity private final class Cat: Animal {
    var lives: Int
}

@Entity private final class Dog: Animal {
    var toy: String
}

@Entity private final class Owner: ManagedObject {
    var dog: Dog?
}

/// References that another program has made, to a row of another entity of the same tree, which no foreign key prevents.
struct MistakenEntityTests {
    /// Runs a test on a store in which an owner's dog is a cat.
    private func withMistake(_ body: (Store) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("animals.sqlite").path
        let store = try await Store.open(
            "sqlite:\(path)", backends: [.sqlite], model: [Animal.self, Cat.self, Dog.self, Owner.self])
        try await store.write("fill") { context in
            let cat = Cat(in: context, lives: 9)
            cat.name = "Tom"
            _ = Owner(in: context)
        }
        let foreign = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .seconds(1))
        try foreign.execute("UPDATE owner SET dog_id = (SELECT _id FROM animal)")
        foreign.close()
        try await body(store)
        await store.close()
    }

    @Test func `An object made of a wrong reference is released when its row is fetched`() async throws {
        try await withMistake { store in
            let error = await #expect(throws: StoreError.self) {
                try await store.read("mistake") { context in
                    let owner = try #require(try context.first(FetchRequest<Owner>()))
                    let dog = owner.dog
                    let cats = try context.fetch(Cat.self)
                    #expect(cats.map(\.lives) == [9])
                    #expect(dog?.objectState != .unchanged)
                }
            }
            #expect(error?.code == .corrupt)
        }
    }

    @Test func `A fault is not filled with another entity's row`() async throws {
        try await withMistake { store in
            let error = await #expect(throws: StoreError.self) {
                try await store.read("mistake") { context in
                    let owner = try #require(try context.first(FetchRequest<Owner>()))
                    #expect(owner.dog?.toy == "")
                }
            }
            #expect(error?.code == .corrupt)
        }
    }

    @Test func `A reference never returns an object of another class`() async throws {
        try await withMistake { store in
            let error = await #expect(throws: StoreError.self) {
                try await store.read("mistake") { context in
                    let cats = try context.fetch(Cat.self)
                    let owner = try #require(try context.first(FetchRequest<Owner>()))
                    #expect(owner.dog == nil)
                    withExtendedLifetime(cats) {}
                }
            }
            #expect(error?.code == .corrupt)
        }
    }
}
#endif
