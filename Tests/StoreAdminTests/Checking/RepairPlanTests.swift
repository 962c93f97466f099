import ContextCore
import Testing

@testable import StoreAdmin

/// The digest of a repair plan identifies what the plan changes, and not how it is described.
struct RepairPlanTests {
    private static func digest(
        _ attributes: [String] = ["title"], _ change: (inout RepairPlan) -> Void = { _ in }
    ) throws -> String {
        let entity = EntityDescription(
            "Game", attributes: attributes.map { AttributeDescription($0, .string, isOptional: true) })
        var plan = RepairPlan(model: try ObjectModel(entities: [entity]))
        plan.entries = [entry()]
        let row = RowLocation(entityIndex: 0, key: 3)
        plan.references = [row: [0: nil, 1: 7]]
        plan.cleared = [row: [2]]
        plan.rewritten = [row: [3]]
        plan.links = [
            .init(
                entityIndex: 0, slot: 4, placed: [.init(owner: 3, target: 8, position: 5)],
                removed: [.init(owner: 3, target: 9)])
        ]
        plan.defects = [.init(.stamp, entityIndex: 0, key: 3, slot: 5)]
        change(&plan)
        return plan.digest
    }

    private static func entry(
        _ kind: StoreFinding.Kind = .orphans, _ object: String? = "Game:3", _ property: String? = "title",
        finding: String = "refers to no object", repair: RepairPlan.Repair = .done("title is cleared")
    ) -> RepairPlan.Entry {
        .init(
            finding: StoreFinding(kind: kind, object: object, property: property, message: finding),
            repair: repair)
    }

    @Test func `Other words don't change the digest`() throws {
        let original = try Self.digest()
        #expect(original.count == 16)
        #expect(try Self.digest { $0.entries = [Self.entry(finding: "points to nothing")] } == original)
        #expect(
            try Self.digest { $0.entries = [Self.entry(repair: .done("title is set to nil"))] } == original)
    }

    @Test func `Another finding or change changes the digest`() throws {
        let row = RowLocation(entityIndex: 0, key: 3)
        let digests = [
            try Self.digest(),
            try Self.digest(["name"]),
            try Self.digest { $0.entries = [] },
            try Self.digest { $0.entries = [Self.entry(.inverses)] },
            try Self.digest { $0.entries = [Self.entry(.orphans, "Game:4")] },
            try Self.digest { $0.entries = [Self.entry(.orphans, "Game:3", nil)] },
            try Self.digest { $0.entries = [Self.entry(repair: .none("title is cleared"))] },
            try Self.digest { $0.references[row]?[0] = .some(7) },
            try Self.digest { $0.references[row]?[1] = .some(nil) },
            try Self.digest { $0.references = [RowLocation(entityIndex: 0, key: 4): [0: nil, 1: 7]] },
            try Self.digest { $0.cleared = [:] },
            try Self.digest { ($0.cleared, $0.rewritten) = ($0.rewritten, $0.cleared) },
            try Self.digest { $0.rewritten = [row: [3, 4]] },
            try Self.digest { $0.links = [] },
            try Self.digest { $0.links[0].placed[0].position = 6 },
            try Self.digest { ($0.links[0].placed, $0.links[0].removed) = ([], $0.links[0].placed) },
            try Self.digest { $0.links[0].slot = 3 },
            try Self.digest { $0.defects = [.init(.leftover, entityIndex: 0, key: 3, slot: 5)] },
        ]
        #expect(Set(digests).count == digests.count)
    }
}
