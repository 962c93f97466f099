import ContextCore
import RandomSeeds
import Testing

@testable import StoreConformance

/// An entity with an index, which finds rows in another order than that of their keys.
private final class Ranked: ManagedObject {
    override class var entityName: String { "Ranked" }
    override class var slotNames: [String] { ["rank", "title"] }
    override class var entityDescription: EntityDescription {
        EntityDescription(
            entityName,
            attributes: [AttributeDescription("rank", .int64), AttributeDescription("title", .string)],
            indexes: [IndexDescription(["rank"])], objectClass: Ranked.self, hasDeletionHooks: false)
    }
}

struct KeyOrderTests {
    /// A fetch without sort keys returns objects in ascending order of their keys, even after rows have changed.
    @Test(arguments: Subject.all)
    func `A fetch without sort keys returns objects in the order of their keys`(_ subject: Subject)
        async throws
    {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        let trial = CaseRun(subject.fixture)
        let store = try await trial.open([Ranked.self])
        for round in 0..<6 {
            let ranks = (0..<40).map { _ in Int.random(in: 0...99, using: &random) }
            try await store.write("change") { context in
                // A server moves a changed row within its table.
                for (object, rank) in zip(try context.fetch(Ranked.self), ranks) where rank % 3 == 0 {
                    try object.set("rank", to: rank)
                }
                for (object, rank) in zip(try context.fetch(Ranked.self), ranks) where rank % 7 == 0 {
                    context.delete(object)
                }
                for rank in ranks {
                    let object = Ranked(insertingInto: context)
                    try object.set("rank", to: rank)
                    try object.set("title", to: "\(round) \(rank)")
                }
            }
            try await store.read("look") { context in
                let all = try context.fetch(Ranked.self)
                let keys = all.map(\.objectID.key)
                #expect(keys == keys.sorted(), "seed \(seed)")
                #expect(Set(keys).count == keys.count)
                let high = try context.fetch(try FetchRequest<Ranked>(where: FetchPredicate("rank > 90")))
                #expect(high.map(\.objectID.key) == high.map(\.objectID.key).sorted(), "seed \(seed)")
                let ranks = try all.map { try $0["rank"] }
                #expect(
                    high.count == ranks.count { if case .int(let rank) = $0 { rank > 90 } else { false } })
                let first = try context.fetch(FetchRequest<Ranked>(limit: 5))
                #expect(first.map(\.objectID.key) == Array(keys.prefix(5)), "seed \(seed)")
            }
        }
        try await trial.end()
    }
}
