import ContextCore
import Testing

/// The features of BSConcurrentManagedObjectContext: concurrent contexts with a queue each, which save to one parent; and
/// `saveObjectsUsingObjectIDs:`, which saves only the given objects.
@Suite(.timeLimit(.minutes(20))) struct BSConcurrentManagedObjectContextTests {
    @Test(arguments: Subject.all)
    func `Contexts work concurrently and save one after the other`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...8 {
                    group.addTask {
                        let context = store.makeBackgroundContext(name: "import \(number)")
                        try await context.perform { context in
                            let club = SampleClub(in: context, name: "Club \(number)")
                            for seat in 1...10 {
                                _ = SampleMember(in: context, name: "\(number).\(seat)", club: club)
                            }
                            try context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let counts = try await store.read("count") { context in
                try context.fetch(FetchRequest<SampleClub>(prefetching: ["members"])).map(\.members.count)
            }
            #expect(counts == Array(repeating: 10, count: 8))
        }
    }

    @Test(arguments: Subject.all)
    func `A save of given objects saves only those`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            let editor = store.makeBackgroundContext(name: "editor")
            let ids = try await editor.perform { context in
                let members = (1...4).map { SampleMember(in: context, name: "\($0)") }
                try context.save()
                for member in members { member.points = 7 }
                return members.map(\.objectID)
            }
            // By identifier, on any thread.
            try await editor.perform { context in
                try context.save(only: ids.prefix(2).map { try context.object(with: $0) })
            }
            let saved = try await store.read("saved") {
                try $0.count(SampleMember.self, where: \.points == 7)
            }
            #expect(saved == 2)
            #expect(try await editor.perform { $0.updatedObjects.count } == 2)
            try await editor.perform { try $0.save() }
            #expect(
                try await store.read("all") { try $0.count(SampleMember.self, where: \.points == 7) } == 4)
        }
    }
}
