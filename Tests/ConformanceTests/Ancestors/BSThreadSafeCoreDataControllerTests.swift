import ContextCore
import Testing

/// What a program did with BSThreadSafeCoreDataController: blocks on one queue, in the order in which they were submitted, that never
/// make the submitter wait; and objects that other threads read safely.
@Suite(.timeLimit(.minutes(20))) struct BSThreadSafeCoreDataControllerTests {
    @MainActor @Test(arguments: Subject.all)
    func `Blocks run in the order in which they were submitted`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            // The main actor submits one after the other, and goes on at once.
            let submitted = (1...50).map { number in
                Task { @MainActor in
                    try await store.performWithSharedContext { context in
                        let last = try context.fetch(
                            SampleMember.self, order: .descending(\.points), limit: 1
                        ).first
                        _ = SampleMember(in: context, name: "\(number)", points: (last?.points ?? 0) + 1)
                    }
                }
            }
            for task in submitted { try await task.value }
            let inOrder = try await store.performWithSharedContext { context in
                try context.fetch(SampleMember.self, order: .ascending(\.points)).map(\.name)
            }
            #expect(inOrder == (1...50).map { "\($0)" })
        }
    }

    @Test(arguments: Subject.all)
    func `Objects are read by other threads as values`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            let snapshots = try await store.performWithSharedContext { context in
                let club = SampleClub(in: context, name: "Go")
                for number in 1...20 {
                    _ = SampleMember(in: context, name: "\(number)", points: number, club: club)
                }
                try context.save()
                return try context.fetch(SampleMember.self, order: .ascending(\.points)).map { $0.snapshot() }
            }
            // Many threads at once, while the objects go on changing.
            async let change: Void = store.performWithSharedContext { context in
                for member in try context.fetch(SampleMember.self) { member.points = 0 }
                try context.save()
            }
            let sum = await withTaskGroup(of: Int.self) { group in
                for snapshot in snapshots { group.addTask { snapshot.points } }
                return await group.reduce(0, +)
            }
            try await change
            #expect(sum == 210)
            // And the way back to the object.
            let now = try await store.performWithSharedContext { try $0.object(from: snapshots[4]).points }
            #expect(now == 0)
        }
    }
}
