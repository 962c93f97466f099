import ContextCore
import Foundation
import Testing

/// External values when attributes and entities are renamed or move within a tree.
struct ExternalStorageTreeTests {
    /// Returns a model of files and images, whose values of 10 bytes or more are stored externally.
    private static func model(
        root: String = "File", bytes: String = "bytes", image: String? = "Image", isApart: Bool = false,
        renames: [String: String] = [:]
    ) throws -> ObjectModel {
        func attribute(_ name: String) -> AttributeDescription {
            AttributeDescription(
                name, .data, isOptional: true, externalThreshold: 10, renamingIdentifier: renames[name])
        }
        var entities = [
            EntityDescription(
                root, attributes: [.init("name", .string, isOptional: true), attribute(bytes)],
                renamingIdentifier: renames[root])
        ]
        if let image {
            var attributes = [attribute("preview")]
            if isApart { attributes += [attribute("bytes"), .init("name", .string, isOptional: true)] }
            entities.append(
                EntityDescription(
                    image, superentity: isApart ? nil : root, attributes: attributes,
                    renamingIdentifier: renames[image]))
        }
        return try ObjectModel(entities: entities)
    }

    private static let small = StoredValue.data(Data([1, 2, 3]))
    private static func large(_ byte: UInt8) -> StoredValue { .data(Data(repeating: byte, count: 5_000)) }

    private static func filled(_ kind: StoreKind) async throws -> (MigratedStore, ObjectModel) {
        let (store, first) = (try MigratedStore(kind), try model())
        try await store.write(first) { context in
            try context.make("File", ["bytes": small])
            try context.make("File", ["bytes": large(1)])
            try context.make("Image", ["bytes": large(2), "preview": large(3)])
            try context.make("Image", ["bytes": small, "preview": small])
        }
        #expect(try store.count("file_bytes") == 2)
        #expect(try store.count("file_preview") == 1)
        return (store, first)
    }

    @Test(arguments: StoreKind.present)
    func `Values stay external, with new names, when an entity and its attribute are renamed`(
        _ kind: StoreKind
    ) async throws {
        let (store, first) = try await Self.filled(kind)
        let second = try Self.model(
            root: "Paper", bytes: "content", renames: ["Paper": "File", "content": "bytes"])
        try await store.migrate([ModelVersion("V1", first), ModelVersion("V2", second)])
        #expect(try store.drift() == [])
        #expect(try store.count("paper_content") == 2)
        #expect(try store.count("paper_preview") == 1)
        try await store.read(second) { context in
            let contents = try context.values("Paper", "content")
            #expect(contents == [Self.small, Self.large(1), Self.large(2), Self.small])
            let previews = try context.values("Image", "preview")
            #expect(previews == [Self.large(3), Self.small])
        }
    }

    @Test(arguments: StoreKind.present)
    func `Values are deleted with an entity that is removed from a tree`(_ kind: StoreKind) async throws {
        let (store, first) = try await Self.filled(kind)
        let second = try Self.model(image: nil)
        var options = MigrationOptions()
        options.acceptedLosses = ["Image"]
        try await store.migrate([ModelVersion("V1", first), ModelVersion("V2", second)], options)
        #expect(try store.drift() == [])
        #expect(try store.count("file_bytes") == 1)
        try await store.read(second) { context in
            let contents = try context.values("File", "bytes")
            #expect(contents == [Self.small, Self.large(1)])
        }
    }

    @Test(arguments: StoreKind.present)
    func `Values move with an entity that leaves its tree`(_ kind: StoreKind) async throws {
        let (store, first) = try await Self.filled(kind)
        let second = try Self.model(isApart: true)
        try await store.migrate([ModelVersion("V1", first), ModelVersion("V2", second)])
        #expect(try store.drift() == [])
        #expect(try store.count("file_bytes") == 1)
        #expect(try store.count("image_bytes") == 1)
        #expect(try store.count("image_preview") == 1)
        try await store.read(second) { context in
            let files = try context.values("File", "bytes")
            #expect(files == [Self.small, Self.large(1)])
            let (contents, previews) = (
                try context.values("Image", "bytes"), try context.values("Image", "preview")
            )
            #expect(contents == [Self.large(2), Self.small])
            #expect(previews == [Self.large(3), Self.small])
        }
    }
}

extension MigratedStore {
    fileprivate func count(_ table: String) throws -> Int64 {
        guard case .int(let count)? = try sql("SELECT count(*) FROM \"\(table)\"").first?.first else {
            return -1
        }
        return count
    }
}
