import ContextCore
import Testing

@testable import StoreConformance

/// A class that inserts and saves another object after a save, which belongs to the same block.
@Entity private final class Watched: ManagedObject {
    var name: String

    override func didSave() {
        guard let context, name.hasPrefix("first") else { return }
        _ = Watched(in: context, name: "second \(name)")
        try? context.save()
    }
}

/// A class that inherits the hook of its superclass.
@Entity private final class WatchedToo: WatchedBase {
    var note: String = ""
}

@Entity private class WatchedBase: ManagedObject {
    var name: String

    override func didSave() {
        guard let context, name.hasPrefix("first") else { return }
        _ = Watched(in: context, name: "second \(name)")
        try? context.save()
    }
}

/// Many concurrent writes, whose deferred saves are applied together.
@Suite(.timeLimit(.minutes(20))) struct LeftSavesTests {
    @Test(arguments: Subject.all)
    func `Each of many writes gets its own result`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            try await store.write("first") { _ = SampleClub(in: $0, name: "taken") }
            // Some use a name that is taken; some read the store first, and find the saves before them.
            let names = (0..<200).map { $0 % 10 == 7 ? "taken" : "club \($0)" }
            let codes = await withTaskGroup(of: (Int, StoreError.Code?).self) { group in
                for (number, name) in names.enumerated() {
                    group.addTask {
                        do {
                            try await store.write("\(number)") { context in
                                let found = number % 10 == 3 ? try context.count(SampleClub.self) : 1
                                #expect(found > 0)
                                _ = SampleClub(in: context, name: name)
                            }
                            return (number, nil)
                        } catch {
                            return (number, (error as? StoreError)?.code ?? .database)
                        }
                    }
                }
                return await group.reduce(into: [Int: StoreError.Code]()) { $0[$1.0] = $1.1 }
            }
            let expected = names.indices.filter { $0 % 10 == 7 }.map { ($0, StoreError.Code.duplicate) }
            #expect(codes == Dictionary(uniqueKeysWithValues: expected))
            let saved = try await store.read("look") { try $0.fetch(SampleClub.self).map(\.name).sorted() }
            #expect(saved == Set(names).sorted())
        }
    }

    @Test(arguments: Subject.all)
    func `The context of a write is freed when the write ends`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            let witnesses = (0..<100).map { _ in Witness() }
            await withTaskGroup(of: Void.self) { group in
                for (number, witness) in witnesses.enumerated() {
                    group.addTask {
                        try? await store.write("\(number)") { context in
                            witness.context = context
                            // Every fifth write fails.
                            _ = SampleClub(in: context, name: number % 5 == 0 ? "same" : "club \(number)")
                        }
                    }
                }
            }
            // A thread may still be leaving the last write.
            for _ in 0..<1000 where witnesses.contains(where: { $0.context != nil }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(witnesses.allSatisfy { $0.context == nil })
        }
    }

    @Test(arguments: Subject.all)
    func `A save that a class makes after a save belongs to the same write`(_ subject: Subject) async throws {
        let trial = CaseRun(subject.fixture)
        let store = try await trial.open([Watched.self])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try? await store.write("\(number)") { _ = Watched(in: $0, name: "first \(number)") }
                }
            }
        }
        let count = try await store.read("count") { try $0.count(Watched.self) }
        #expect(count == 80)
        try await trial.end()
    }

    @Test(arguments: Subject.all)
    func `A save that a superclass makes after a save belongs to the same write`(_ subject: Subject)
        async throws
    {
        let trial = CaseRun(subject.fixture)
        let store = try await trial.open([Watched.self, WatchedBase.self, WatchedToo.self])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try? await store.write("\(number)") {
                        WatchedToo(in: $0).name = "first \(number)"
                    }
                }
            }
        }
        let counts = try await store.read("count") {
            [try $0.count(WatchedToo.self), try $0.count(Watched.self)]
        }
        #expect(counts == [40, 40])
        try await trial.end()
    }

    // @unchecked: it is set inside the write, and read after the write has returned.
    private final class Witness: @unchecked Sendable {
        weak var context: ObjectContext?
    }
}
