import Testing

@testable import ContextCore

/// Something whose `deinit` changes another of its kind.
@Entity private final class Heir: ManagedObject {
    var wealth: Int = 0

    // nonisolated(unsafe): one test sets it, and what dies there dies on its thread.
    nonisolated(unsafe) static var next: Heir?

    deinit { Self.next?.wealth += 1 }
}

struct DyingObjectTests {
    @Test func `Who dies as a save lets go of it may change others`() throws {
        let model = try ObjectModel([Heir.self])
        let context = ObjectContext(
            model: model,
            parent: StoreParent(try Pipeline(InMemoryCoordinator(model: model)), name: "heirs"))
        var changed: Heir? = Heir(in: context)
        let next = Heir(in: context)
        try context.save()
        Heir.next = next
        defer { Heir.next = nil }
        changed?.wealth = 5
        // From here on only the context holds it, as changed.
        changed = nil
        try context.save()
        #expect(next.wealth == 1 && next.hasChanges)
        try context.save()
        #expect(!next.hasChanges)
        // Nor does anything go wrong where all is let go of at once.
        Heir(in: context).wealth = 7
        context.reset()
    }
}
