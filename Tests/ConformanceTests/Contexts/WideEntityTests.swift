import ContextCore
import RandomSeeds
import Testing

@testable import StoreConformance

/// An entity with more properties than a word has bits.
private final class Wide: ManagedObject {
    static let names = (0..<70).map { "a\($0 / 10)\($0 % 10)" }

    override class var entityName: String { "Wide" }
    override class var slotNames: [String] { names }
    override class var entityDescription: EntityDescription {
        EntityDescription(
            entityName, attributes: names.map { AttributeDescription($0, .int64, isOptional: true) },
            objectClass: Wide.self, hasDeletionHooks: false)
    }

    var values: [StoredValue] { get throws { try Self.names.map { try self[$0] } } }
}

struct WideEntityTests {
    @Test(arguments: Subject.all)
    func `A save of an entity with many properties writes exactly the changed ones`(_ subject: Subject)
        async throws
    {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        let trial = CaseRun(subject.fixture)
        let store = try await trial.open([Wide.self])
        let id = try await store.write("make") { context in
            let object = Wide(insertingInto: context)
            try context.obtainPermanentIDs(for: [object])
            return object.objectID
        }
        var expected = Array(repeating: StoredValue.null, count: Wide.names.count)
        for _ in 0..<12 {
            let changes = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                // Choose properties at both ends of the word more often.
                let places = [Int.random(in: 0..<70, using: &random), 62, 63, 64, 69]
                return (
                    place: places.randomElement(using: &random) ?? 0,
                    value: Int.random(in: -9...9, using: &random)
                )
            }
            try await store.write("change") { context in
                let object = try context.object(with: id, as: Wide.self)
                for change in changes { try object.set(Wide.names[change.place], to: change.value) }
            }
            for change in changes { expected[change.place] = .int(Int64(change.value)) }
            let found = try await store.read("look") { try $0.object(with: id, as: Wide.self).values }
            #expect(found == expected, "seed \(seed)")
        }
        try await trial.end()
    }
}
