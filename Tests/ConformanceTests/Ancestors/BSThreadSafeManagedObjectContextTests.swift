import ContextCore
import Testing

/// What a program did with BSThreadSafeManagedObjectContext: one shared parent context behind a serial queue, read-only contexts over it
/// that screens observe, and saves and fetches that are told of where they were asked for.
@Suite(.timeLimit(.minutes(20))) struct BSThreadSafeManagedObjectContextTests {
    @MainActor @Test(arguments: Subject.all)
    func `Screens follow the shared context, which is fetched from and saved without waiting`(
        _ subject: Subject
    )
        async throws
    {
        try await subject.withStore { store async throws in
            // The parent context is made when it is asked for first.
            try await store.performWithSharedContext { context in
                let club = SampleClub(in: context, name: "Chess")
                for number in 1...3 { _ = SampleMember(in: context, name: "Member \(number)", club: club) }
            }
            // A screen's own context: thread-safe, read-only, and observed by a results controller.
            let screen = store.makeProxy()
            let list = try FetchedResultsController(
                SampleMember.self, order: .ascending(\.name), in: screen.context)
            var changes = list.changes.makeAsyncIterator()
            #expect(await changes.next()?.snapshot.count == 3)

            // An asynchronous fetch answers on the caller's own actor, behind what was submitted before it.
            let clubs = try await screen.fetch(FetchRequest<SampleClub>(prefetching: ["members"]))
            #expect(clubs.map(\.name) == ["Chess"] && clubs.first?.members.count == 3)

            // A change of the parent reaches the screen before it is saved.
            try await store.performWithSharedContext { context in
                try context.fetch(SampleMember.self, where: \.name == "Member 2").forEach(context.delete)
            }
            #expect(await changes.next()?.snapshot.count == 2)
            #expect(try await store.read("saved") { try $0.count(SampleMember.self) } == 0)

            // An asynchronous save, and the screen's objects stay what they are.
            try await screen.save()
            #expect(try await store.read("saved") { try $0.count(SampleMember.self) } == 2)
            #expect(list.objects.map(\.name) == ["Member 1", "Member 3"])
        }
    }

    @MainActor @Test(arguments: Subject.all)
    func `Completions come back to the caller's actor, in the order of submission`(_ subject: Subject)
        async throws
    {
        try await subject.withStore { store async throws in
            var order: [Int] = []
            await withCheckedContinuation { continuation in
                for number in 1...20 {
                    store.write("save \(number)") { context in
                        _ = SampleClub(in: context, name: "Club \(number)")
                    } completion: { _ in
                        MainActor.assertIsolated()
                        order.append(number)
                        if order.count == 20 { continuation.resume() }
                    }
                }
            }
            #expect(order.sorted() == Array(1...20))
            let saved = try await store.history().map(\.contextName)
            #expect(saved == (1...20).map { "save \($0)" })
        }
    }
}
