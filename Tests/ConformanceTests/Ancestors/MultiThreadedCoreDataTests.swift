import ContextCore
import Testing

/// The features of multi-threaded-core-data: exclusive writes and concurrent reads by identifier; nested contexts, saved up to the store
/// before the next operation begins; and a list that is updated row by row under concurrent load.
@Suite(.timeLimit(.minutes(20))) struct MultiThreadedCoreDataTests {
    @Test(arguments: Subject.all)
    func `Writes run one at a time, and the next read sees their changes`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            try await store.coordinateWriting(identifier: "insert") { context in
                _ = SampleClub(in: context, name: "Go")
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        if number % 3 == 0 {
                            try await store.coordinateWriting(identifier: "join") { context in
                                // One operation reads and writes, so no other write runs in between.
                                let count = try context.count(SampleMember.self)
                                _ = SampleMember(in: context, name: "\(number)", points: count)
                            }
                        } else {
                            let (count, best) = try await store.coordinateReading(identifier: "look") {
                                (try $0.count(SampleMember.self), try $0.maximum(\SampleMember.points))
                            }
                            #expect(best.map { $0 + 1 } ?? 0 == count)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let points = try await store.coordinateReading(identifier: "points") { context in
                try context.fetch(SampleMember.self, order: .ascending(\.points)).map(\.points)
            }
            #expect(points == Array(0..<10))
        }
    }

    @Test(arguments: Subject.all)
    func `A save of nested contexts reaches the store`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            try await store.makeBackgroundContext(name: "main").perform { main in
                let child = main.makeChild()
                let grandchild = child.makeChild()
                _ = SampleClub(in: grandchild, name: "Chess")
                try grandchild.save()
                #expect(child.insertedObjects.count == 1 && main.insertedObjects.isEmpty)
                try child.saveToStore()
                #expect(!main.hasChanges)
            }
            #expect(try await store.read("look") { try $0.fetch(SampleClub.self).map(\.name) } == ["Chess"])
        }
    }

    @MainActor @Test(arguments: Subject.all)
    func `Two lists follow concurrent writes row by row`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            try await store.write("clubs") { context in
                for name in ["Chess", "Go", "Shogi"] { _ = SampleClub(in: context, name: name) }
            }
            let view = store.viewContext
            view.automaticallyMergesChanges = true
            let clubs = try FetchedResultsController(SampleClub.self, order: .ascending(\.name), in: view)
            let chosen = clubs[1].objectID
            let members = try FetchedResultsController(
                SampleMember.self, where: \.club == clubs[1], order: .descending(\.points),
                .ascending(\.name),
                in: view)
            var rows: [ObjectID] = members.snapshot.objectIDs
            members.onChange = { difference in
                for step in difference.steps {
                    switch step {
                    case .delete(_, let place): rows.remove(at: place.row)
                    case .insert(let id, let place): rows.insert(id, at: place.row)
                    case .move(let id, let from, let to):
                        rows.remove(at: from.row)
                        rows.insert(id, at: to.row)
                    case .insertSection, .deleteSection, .update: break
                    }
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask { try await Self.play(number, at: chosen, store) }
                }
                try await group.waitForAll()
            }
            try view.mergeStoreChanges()
            let fetched = try view.fetch(
                SampleMember.self, where: \.club == clubs[1], order: .descending(\.points), .ascending(\.name)
            )
            #expect(members.objects == fetched && !fetched.isEmpty)
            #expect(rows == fetched.map(\.objectID))
        }
    }

    @concurrent private static func play(_ number: Int, at club: ObjectID, _ store: Store) async throws {
        switch number % 4 {
        case 0, 1:
            try await store.write("join") { context in
                let club = try context.object(with: club, as: SampleClub.self)
                _ = SampleMember(in: context, name: "\(number)", points: number, club: club)
            }
        case 2:
            try await store.write("leave") { context in
                let found = try context.fetch(SampleMember.self, order: .ascending(\.points), limit: 1)
                found.forEach(context.delete)
            }
        default:
            try await store.write("score") { context in
                for member in try context.fetch(SampleMember.self) { member.points += number % 7 }
            }
        }
    }
}
