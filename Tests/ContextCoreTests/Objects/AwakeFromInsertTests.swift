import Testing

@testable import ContextCore

@Entity final class Sprout: ManagedObject {
    var name: String = "sprout"

    override func awakeFromInsert() {
        if let garden = Garden.current { garden.work(garden, self) }
    }
}

@Entity final class Weed: ManagedObject {
    var name: String = "weed"
}

/// The work of a sprout's `awakeFromInsert`, with a context that has no other owner.
// @unchecked: a test works with it on its own thread.
final class Garden: @unchecked Sendable {
    @TaskLocal static var current: Garden?

    var context: ObjectContext?
    var kept: [ManagedObject] = []
    let work: (Garden, Sprout) -> Void

    init(_ work: @escaping (Garden, Sprout) -> Void) throws {
        let model = try ObjectModel([Sprout.self, Weed.self])
        context = ObjectContext(model: model, parent: EmptyParent(model))
        self.work = work
    }

    func plant() throws -> Sprout {
        let sprout = Garden.$current.withValue(self) { context.map { Sprout(in: $0, name: "new") } }
        return try #require(sprout)
    }
}

/// An initializer doesn't release an object that its caller references, whatever `awakeFromInsert` does.
struct AwakeFromInsertTests {
    @Test func `Objects of another class may be inserted in the hook`() throws {
        let garden = try Garden { garden, _ in
            guard let context = garden.context else { return }
            garden.kept.append(Weed(in: context))
        }
        for _ in 0..<3 {
            let sprout = try garden.plant()
            #expect(sprout.entityLayout.name == "Sprout" && sprout.name == "new")
        }
        #expect(garden.kept.map(\.entityLayout.name) == ["Weed", "Weed", "Weed"])
        let context = try #require(garden.context)
        #expect(
            context.graph.changes.objects.map(\.entityLayout.name)
                == ["Sprout", "Weed", "Sprout", "Weed", "Sprout", "Weed"])
        #expect(Weed(in: context).name == "weed")
    }

    @Test func `The context may be released in the hook`() throws {
        let garden = try Garden { garden, sprout in
            garden.kept.append(sprout)
            garden.context = nil
        }
        let sprout = try garden.plant()
        #expect(garden.kept.first === sprout && sprout.context == nil)
        #expect(sprout.entityLayout.name == "Sprout" && sprout.objectID.isTemporary)
    }

    @Test func `The context may be reset in the hook`() throws {
        let garden = try Garden { garden, _ in garden.context?.reset() }
        weak let lost = try garden.plant()
        #expect(lost == nil && garden.context?.hasChanges == false)
        #expect(garden.context?.graph.identities.all.isEmpty == true)
    }
}
