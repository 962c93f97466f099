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
    func `Completions come back to the caller's actor, each once, of saves in the order of submission`(
        _ subject: Subject
    ) async throws {
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

    @MainActor @Test(arguments: Subject.all)
    func `Fetches and saves are done in the order of submission, and told of where they were asked for`(
        _ subject: Subject
    ) async throws {
        try await subject.withStore { store async throws in
            try await store.performWithSharedContext { _ = SampleClub(in: $0, name: "Go") }
            let screen = store.makeProxy()
            let request = try FetchRequest<SampleClub>(order: [SortKey("name")])
            var names: [[String]] = []
            var isSaved = false
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                var left = 3
                func end() {
                    MainActor.assertIsolated()
                    left -= 1
                    if left == 0 { continuation.resume() }
                }
                screen.save { result in
                    isSaved = (try? result.get()) != nil
                    end()
                }
                for _ in 0..<2 {
                    screen.fetch(request) { result in
                        let clubs = (try? result.get()) ?? []
                        // Objects of the screen's own context, on the screen's own actor.
                        names.append(clubs.filter { $0.context === screen.context }.map(\.name))
                        end()
                    }
                }
            }
            #expect(isSaved && names == [["Go"], ["Go"]])
            #expect(try await store.read("saved") { try $0.count(SampleClub.self) } == 1)
            // What can't be fetched is told as well.
            let unknown = try FetchRequest<SampleClub>(where: FetchPredicate("size > 3"))
            var error: StoreError?
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                screen.fetch(unknown) { result in
                    if case .failure(let failure) = result { error = failure as? StoreError }
                    continuation.resume()
                }
            }
            #expect(error?.code == .unknownProperty)
        }
    }
}
