import Testing

@testable import ContextCore
@testable import StoreConformance

/// Deletions that others, a partial save, an undo or a refresh met with.
struct OvertakenDeletionTests {
    @Test(arguments: Subject.all)
    func `An object that others inserted again while its deletion is undone has their links`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let (a, b) = (desk.a, desk.b)
            try a[2].set("tags", to: [])
            try a.context.save()
            a.context.delete(try a[5])
            a.context.processPendingChanges()
            try a.context.save()
            a.context.undo()
            b.context.mergePolicy = .objectWins
            try b[5].set("number", to: 2)
            try b.context.save()
            try expectEqual(try desk.stored(5, "items"), [2], "The items in the store")
            try a.context.mergeStoreChanges()
            try a.fetchAll()
            try expectEqual(try a.members(5, "items"), [2], "The items")
            try desk.check()
        }
    }
}
