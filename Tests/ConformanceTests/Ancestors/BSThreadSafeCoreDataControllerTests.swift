import ContextCore
import Testing

/// The features of BSThreadSafeCoreDataController: blocks that run on one queue in the order of submission and never block the
/// submitter; and objects that other threads can read safely.
@Suite(.timeLimit(.minutes(20))) struct BSThreadSafeCoreDataControllerTests {
    @MainActor @Test(arguments: Subject.all)
    func `Blocks run in the order of submission`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            // The main actor submits blocks one after the other, without waiting.
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
    func `Other threads read objects as values`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            let snapshots = try await store.performWithSharedContext { context in
                let club = SampleClub(in: context, name: "Go")
                for number in 1...20 {
                    _ = SampleMember(in: context, name: "\(number)", points: number, club: club)
                }
                try context.save()
                return try context.fetch(SampleMember.self, order: .ascending(\.points)).map { $0.snapshot() }
            }
            // Many threads read while the objects change.
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
            // The snapshots have the identifier of the object.
            let now = try await store.performWithSharedContext { try $0.object(from: snapshots[4]).points }
            #expect(now == 0)
        }
    }
}
