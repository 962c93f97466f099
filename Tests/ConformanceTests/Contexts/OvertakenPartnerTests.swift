import Testing

@testable import ContextCore
@testable import StoreConformance

/// One-to-one relationships and attributes that were changed here and there.
struct OvertakenPartnerTests {
    @Test(arguments: Subject.all)
    func `A refresh takes back the deletion of a partner whose place another one has taken`(
        _ subject: Subject
    ) async throws {
        try await OvertakenDesk.run(subject) { desk in
            let a = desk.a
            a.context.delete(try a[7])
            try a[8].set("holder", to: a[0])
            try a.context.refresh(try a[7], mergeChanges: false)
            try expectEqual(try a.target(0, "badge"), 7, "The badge")
            try expectEqual(try a.target(8, "holder"), nil, "The holder of the other badge")
            try expect(!a.hasChanges, "Nothing is pending")
        }
    }
}
