import ContextCore
import Foundation
import Testing

/// Migrations of attributes that gain, keep or lose the option `externalStorage`.
struct ExternalStorageTests {
    private static func model(threshold: Int?, note: Bool = false) throws -> ObjectModel {
        var attributes: [AttributeDescription] = [
            .init("name", .string), .init("image", .data, isOptional: true, externalThreshold: threshold),
            .init("text", .string, externalThreshold: threshold),
        ]
        if note { attributes.append(.init("note", .string, isOptional: true)) }
        return try ObjectModel(entities: [.init("Clip", attributes: attributes)])
    }

    private static let images: [StoredValue] =
        [.null, .data(Data())] + [9, 10, 11, 100_000].map { .data(Data(repeating: 7, count: $0)) }
    private static let texts: [StoredValue] = [0, 1, 9, 10, 11, 100_000].map {
        .string(String(repeating: "x", count: $0))
    }

    @Test(arguments: StoreKind.present)
    func `The option can be added, changed and removed without losing values`(_ kind: StoreKind) async throws
    {
        let store = try MigratedStore(kind)
        let models = [
            try Self.model(threshold: nil), try Self.model(threshold: 10),
            try Self.model(threshold: 1_000, note: true), try Self.model(threshold: nil),
        ]
        try await store.write(models[0]) { context in
            for (number, values) in zip(Self.images, Self.texts).enumerated() {
                try context.make("Clip", ["name": .string("\(number)"), "image": values.0, "text": values.1])
            }
        }
        for last in models.indices {
            let versions = models[...last].enumerated().map { ModelVersion("V\($0 + 1)", $1) }
            var options = MigrationOptions()
            if last == models.indices.last { options.acceptedLosses = ["Clip.note"] }
            try await store.migrate(versions, options)
            #expect(try store.drift() == [])
            try await store.read(models[last]) { context in
                let (images, texts) = (
                    try context.values("Clip", "image"), try context.values("Clip", "text")
                )
                #expect(images == Self.images)
                #expect(texts == Self.texts)
            }
        }
    }

    @Test(arguments: StoreKind.present)
    func `The threshold can change without a migration`(_ kind: StoreKind) async throws {
        let store = try MigratedStore(kind)
        try await store.write(Self.model(threshold: 10)) {
            try $0.make("Clip", ["name": .string("a"), "image": Self.images[5], "text": Self.texts[5]])
        }
        try await store.write(Self.model(threshold: 1_000_000)) { context in
            let images = try context.values("Clip", "image")
            #expect(images == [Self.images[5]])
            try context.make("Clip", ["name": .string("b"), "image": Self.images[4], "text": Self.texts[4]])
        }
        try await store.read(Self.model(threshold: 10)) { context in
            let (images, texts) = (try context.values("Clip", "image"), try context.values("Clip", "text"))
            #expect(images == [Self.images[5], Self.images[4]])
            #expect(texts == [Self.texts[5], Self.texts[4]])
        }
    }
}
