import Foundation
import Testing

@testable import ContextCore
@testable import StoreConformance

/// Tests that external values are loaded only when they are read, in the stores with external storage.
struct DeferredFetchTests {
    private static let subjects = Subject.all.filter { $0.fixture.name != "memory" }
    private static let image = StoredValue.data(Data(repeating: 7, count: 5_000))

    /// Runs a block on a store with an album of two clips, one with an image and one without.
    private func withStore(_ subject: Subject, _ body: (Store) async throws -> Void) async throws {
        let fresh = try FreshStore(subject.fixture, AlbumModel.model(threshold: AlbumModel.threshold))
        defer { fresh.remove() }
        let store = try Store(coordinator: fresh.coordinator)
        try await store.write("make") { context in
            let album = try context.insert("Album")
            try album.set("name", to: "a")
            for name in ["large", "none"] {
                let clip = try context.insert("Clip")
                try clip.set("name", to: name)
                try clip.set("album", to: album)
                if name == "large" { try clip.set("image", toStored: Self.image) }
            }
        }
        try await body(store)
    }

    private static func request(
        _ entity: String, prefetching: [String] = []
    ) throws -> FetchRequest<ManagedObject> {
        try FetchRequest(
            entityName: entity, order: [SortKey("name")], prefetching: prefetching.map { PropertyPath($0) })
    }

    @Test(arguments: subjects)
    func `A fetch doesn't load an external value, and reading the property loads it`(_ subject: Subject)
        async throws
    {
        try await withStore(subject) { store in
            try await store.read("look") { context in
                context.faulting = .forbid
                let clips = try context.fetch(Self.request("Clip"))
                #expect(try clips.map { try $0["text"] } == [.string(""), .string("")])
                #expect(try clips[1]["image"] == .null)
                let error = #expect(throws: StoreError.self) { try clips[0]["image"] }
                #expect(error?.code == .faultForbidden)
                context.faulting = .automatic
                #expect(try clips[0]["image"] == Self.image)
            }
        }
    }

    @Test(arguments: subjects)
    func `A request that names the property, or a path to it, loads its values`(_ subject: Subject)
        async throws
    {
        try await withStore(subject) { store in
            try await store.read("look") { context in
                context.faulting = .forbid
                let clips = try context.fetch(Self.request("Clip", prefetching: ["image"]))
                #expect(try clips[0]["image"] == Self.image)
                #expect(throws: StoreError.self) {
                    try context.fetch(Self.request("Clip", prefetching: ["name"]))
                }
            }
            try await store.read("look at albums") { context in
                context.faulting = .forbid
                let albums = try context.fetch(Self.request("Album", prefetching: ["clips.image"]))
                let clips = try albums[0].objects("clips")
                let large = try #require(try clips.first { try $0["name"] == .string("large") })
                #expect(try large["image"] == Self.image)
                #expect(try context.fetch(Self.request("Album")).count == 1)
            }
        }
    }

    @Test(arguments: subjects)
    func `A prefetch also loads values of objects that were fetched before`(_ subject: Subject) async throws {
        try await withStore(subject) { store in
            try await store.read("look") { context in
                let clips = try context.fetch(Self.request("Clip"))
                context.faulting = .forbid
                _ = try context.fetch(Self.request("Clip", prefetching: ["image"]))
                #expect(try clips[0]["image"] == Self.image)
            }
        }
    }

    @Test(arguments: subjects)
    func `A comparison with nil loads no value, even with pending changes`(_ subject: Subject) async throws {
        try await withStore(subject) { store in
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let clips = try context.fetch(Self.request("Clip"))
                for clip in clips { try clip.set("text", to: "b") }
                context.faulting = .forbid
                let found = try context.fetch(
                    FetchRequest<ManagedObject>(
                        entityName: "Clip", where: FetchPredicate("image = nil")))
                #expect(try found.map { try $0["name"] } == [.string("none")])
            }
        }
    }

    @Test(arguments: subjects)
    func `Relationships and faults don't load external values`(_ subject: Subject) async throws {
        try await withStore(subject) { store in
            try await store.read("look") { context in
                let album = try #require(try context.fetch(Self.request("Album")).first)
                let clips = try album.objects("clips")
                #expect(clips.count == 2)
                context.faulting = .forbid
                let large = try #require(try clips.first { try $0["name"] == .string("large") })
                let error = #expect(throws: StoreError.self) { try large["image"] }
                #expect(error?.code == .faultForbidden)
            }
        }
    }
}
