import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// External values are copied with the objects of a store by every command.
struct ExternalStorageCopyTests {
    private static let image = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private static func model() throws -> ObjectModel {
        try ObjectModel(entities: [
            EntityDescription(
                "Clip",
                attributes: [
                    AttributeDescription("name", .string),
                    AttributeDescription("image", .data, isOptional: true, externalThreshold: 1_000),
                    AttributeDescription("text", .string, externalThreshold: 1_000),
                ])
        ])
    }

    /// Creates a store of clips with small and with large values as `a`; `b` is at another place.
    private func makeClips(_ from: TestPlace, _ to: TestPlace) async throws {
        for (name, url) in [("A", from.freshURL()), ("B", to.freshURL()), ("C", "sqlite:c.sqlite")] {
            bench.variables[name] = url
        }
        let stores = ["a", "b", "c"].map { #""\#($0)": {"url": {"env": "\#($0.uppercased())"}}"# }
        try bench.write(
            #"{"default": "a", "stores": {\#(stores.joined(separator: ", "))}}"#, to: "storectl.json")
        let model = try Self.model()
        let address = try bench.tool.store("a", config: nil)
        let store = try Store(coordinator: address.backend.coordinator(for: address.url, model))
        try await store.write("make") { context in
            for size in [0, 999, 1_000, 100_000] {
                let clip = try context.insert("Clip")
                try clip.set("name", to: "\(size)")
                try clip.set("image", to: Self.image.prefix(size))
                try clip.set("text", to: String(repeating: "ü", count: size / 2))
            }
            let none = try context.insert("Clip")
            try none.set("name", to: "none")
            try none.set("text", to: "")
        }
        await store.close()
    }

    /// Expects a store with the contents of ``makeClips(_:_:)``.
    private func expectClips(_ name: String) async throws {
        let address = try bench.tool.store(name, config: nil)
        let store = try Store(coordinator: address.backend.coordinator(for: address.url, Self.model()))
        try await store.read("look") { context in
            let clips = try context.fetch(FetchRequest<ManagedObject>(entityName: "Clip"))
            #expect(clips.count == 5)
            for clip in clips {
                guard case .string(let name) = try clip["name"], let size = Int(name) else {
                    #expect(try clip["image"] == .null)
                    continue
                }
                #expect(try clip["image"] == .data(Data(Self.image.prefix(size))), "The image of \(size)")
                #expect(try clip["text"] == .string(String(repeating: "ü", count: size / 2)))
            }
        }
        await store.close()
        #expect(bench.run("check", "-s", name).output == "no problems found\n")
    }

    private static let ways = TestPlace.available.flatMap { from in TestPlace.available.map { (from, $0) } }

    @Test(arguments: ways)
    func `A copy has external values, and its verification compares them`(from: TestPlace, to: TestPlace)
        async throws
    {
        try await makeClips(from, to)
        let copied = bench.run("data", "copy", "a", "b")
        #expect(copied.exit == .success, "\(copied.problems)")
        try await expectClips("b")
        #expect(bench.run("data", "verify", "a", "b").exit == .success)
        #expect(bench.run("sql", "--write", "DELETE FROM clip_image", "-s", "b").exit == .success)
        #expect(bench.run("data", "verify", "a", "b").exit == .differences)
    }

    @Test(arguments: ways)
    func `An export and its import have external values`(from: TestPlace, to: TestPlace) async throws {
        try await makeClips(from, to)
        let exported = bench.run("data", "export", "--out", "clips.jsonl")
        #expect(exported.exit == .success, "\(exported.problems)")
        let imported = bench.run("data", "import", "clips.jsonl", "-s", "b")
        #expect(imported.exit == .success, "\(imported.problems)")
        try await expectClips("b")
    }

    private func execute(_ sql: String) throws {
        let outcome = bench.run("sql", "--write", sql, "-s", "a")
        try #require(outcome.exit == .success, "\(outcome.problems)")
    }

    private func image(of name: String) async throws -> StoredValue {
        let address = try bench.tool.store("a", config: nil)
        let store = try Store(coordinator: address.backend.coordinator(for: address.url, Self.model()))
        let value = try await store.read("look") { context in
            try context.fetch(
                FetchRequest<ManagedObject>(entityName: "Clip", where: FetchPredicate("name = %@", name))
            ).first?["image"]
        }
        await store.close()
        return try #require(value)
    }

    @Test(arguments: TestPlace.available)
    func `A row with a value and a stamp has the value, and an invalid stamp is an error`(
        _ place: TestPlace
    )
        async throws
    {
        try await makeClips(place, place)
        let byte = place == .sqlite ? "x'61'" : "'\\x61'"
        try execute("UPDATE clip SET image = \(byte) WHERE name = '100000'")
        #expect(try await image(of: "100000") == .data(Data([0x61])))
        try execute("UPDATE clip SET image = NULL, image_external = -1 WHERE name = '100000'")
        let error = await #expect(throws: StoreError.self) { try await image(of: "100000") }
        #expect(error?.code == .corrupt)
    }

    @Test(arguments: TestPlace.available)
    func `A backup has external values, and restores them`(_ place: TestPlace) async throws {
        try await makeClips(place, place)
        let made = bench.run("backup", "create", "--out", "kept.sqlite")
        #expect(made.exit == .success, "\(made.problems)")
        #expect(bench.run("backup", "verify", "kept.sqlite").exit == .success)
        let restored = bench.run("backup", "restore", "kept.sqlite", "-s", "b", "--confirm", "b")
        #expect(restored.exit == .success, "\(restored.problems)")
        try await expectClips("b")
    }

    @Test(arguments: TestPlace.available)
    func `A sample has external values, and so have single objects and queries`(_ place: TestPlace)
        async throws
    {
        try await makeClips(place, place)
        let sampled = bench.run("data", "sample", "a", "c", "-n", "5", "--entity", "Clip")
        #expect(sampled.exit == .success, "\(sampled.problems)")
        try await expectClips("c")
        let text = String(repeating: "ü", count: 500)
        #expect(bench.run("query", "Clip where name = \"1000\"", "-o", "csv").output.contains(text))
    }
}
