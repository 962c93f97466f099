import ContextCore
import Testing

/// The features of BSThreadSafeManagedObjectContext: one shared parent context with a serial queue, read-only child contexts that screens
/// observe, and saves and fetches that call back on the caller's queue.
@Suite(.timeLimit(.minutes(20))) struct BSThreadSafeManagedObjectContextTests {
    @MainActor @Test(arguments: Subject.all)
    func `Screens follow the shared context, whose fetches and saves don't block`(
        _ subject: Subject
    ) async throws {
        try await subject.withStore { store async throws in
            // The parent context is created at its first use.
            try await store.performWithSharedContext { context in
                let club = SampleClub(in: context, name: "Chess")
                for number in 1...3 { _ = SampleMember(in: context, name: "Member \(number)", club: club) }
            }
            // The context of a screen: thread-safe, read-only, and observed by a results controller.
            let screen = store.makeProxy()
            let list = try FetchedResultsController(
                SampleMember.self, order: .ascending(\.name), in: screen.context)
            var changes = list.changes.makeAsyncIterator()
            #expect(await changes.next()?.snapshot.count == 3)

            // An asynchronous fetch returns on the caller's actor, after the operations that were submitted before it.
            let clubs = try await screen.fetch(FetchRequest<SampleClub>(prefetching: ["members"]))
            #expect(clubs.map(\.name) == ["Chess"] && clubs.first?.members.count == 3)

            // The screen shows a change of the parent before it is saved.
            try await store.performWithSharedContext { context in
                try context.fetch(SampleMember.self, where: \.name == "Member 2").forEach(context.delete)
            }
            #expect(await changes.next()?.snapshot.count == 2)
            #expect(try await store.read("saved") { try $0.count(SampleMember.self) } == 0)

            // An asynchronous save leaves the screen's objects unchanged.
            try await screen.save()
            #expect(try await store.read("saved") { try $0.count(SampleMember.self) } == 2)
            #expect(list.objects.map(\.name) == ["Member 1", "Member 3"])
        }
    }

    @MainActor @Test(arguments: Subject.all)
    func `Completions of saves run once each on the caller's actor, in the order of submission`(
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
            #expect(order == Array(1...20))
            let saved = try await store.history().map(\.contextName)
            #expect(saved == (1...20).map { "save \($0)" })
        }
    }

    @MainActor @Test(arguments: Subject.all)
    func `Fetches and saves run in the order of submission, and complete on the caller's actor`(
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
                        // Objects of the screen's context, on the screen's actor.
                        names.append(clubs.filter { $0.context === screen.context }.map(\.name))
                        end()
                    }
                }
            }
            #expect(isSaved && names == [["Go"], ["Go"]])
            #expect(try await store.read("saved") { try $0.count(SampleClub.self) } == 1)
            // A failed fetch is reported too.
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
