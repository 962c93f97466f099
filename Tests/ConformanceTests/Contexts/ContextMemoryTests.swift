import ChildProcesses
import Foundation
import Testing

@testable import ContextCore

/// Tests that a long-lived context frees objects that the program no longer references.
///
/// `STORE_LEAK_OBJECTS` is the number of objects that pass through the context.
struct ContextMemoryTests {
    @Test func `Unreferenced objects with all kinds of relationships are freed`() async {
        // In a separate process, since the memory of the whole process is measured.
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let count = ProcessInfo.processInfo.environment["STORE_LEAK_OBJECTS"].flatMap(Int.init) ?? 5000
            try await onThread { try ContextMemory(objectCount: count).run() }
        }
        if let result { print(String(decoding: result.standardOutputContent, as: UTF8.self), terminator: "") }
    }
}

/// Groups of objects with all kinds of relationships, which one context inserts and deletes.
private final class ContextMemory {
    /// The number of groups in the context at a time.
    private static let groupsPerRound = 50
    private static let kindsOfGroup = [
        "Owner", "Owner", "Item", "Item", "Item", "Item", "Item", "Tag", "Tag", "Badge", "Badge", "Part",
        "Part",
        "Part", "Keeper",
    ]

    private let fresh: FreshStore
    private let store: Store
    private let context: ObjectContext
    private let roundCount: Int

    init(objectCount: Int) throws {
        fresh = try FreshStore(Subject.sqliteFile.fixture, GraphModel.model())
        store = try Store(coordinator: fresh.coordinator)
        context = store.makeThreadContext(name: "long-lived")
        context.automaticallyMergesChanges = true
        roundCount = max(2, objectCount / (Self.groupsPerRound * Self.kindsOfGroup.count))
    }

    func run() throws {
        defer { fresh.remove() }
        var first: Int?
        for round in 1...roundCount {
            try runRound()
            let left = context.registeredObjects
            try #require(
                left.isEmpty,
                "After round \(round), \(left.count) unreferenced objects are left: \(left.prefix(5).map(\.entityLayout.name))."
            )
            if round == (roundCount + 9) / 10 { first = Self.residentKilobytes }
        }
        // With fewer rounds the memory still grows to the size that one round needs.
        guard let first, roundCount >= 200 else { return }
        let last = Self.residentKilobytes
        print("\(roundCount) rounds: \(first) kB resident after the first tenth, \(last) kB after the last")
        #expect(Double(last) <= Double(first) * 1.05)
    }

    /// Inserts objects, fetches their rows again as new objects, which it reads and changes, and deletes them.
    private func runRound() throws {
        try insert()
        try read()
        try change()
        try read()
        try delete()
        try pruneHistory()
    }

    /// Prunes the history of the round: a growing file fills SQLite's page cache, which would count as the context's memory.
    private func pruneHistory() throws {
        let session = try fresh.coordinator.openWriteSession(SessionOptions(identifier: "prune"))
        defer { session.end() }
        try session.pruneHistory(through: session.token)
        _ = try session.commit()
    }

    private func insert() throws {
        for number in 0..<Self.groupsPerRound {
            let group = try Self.kindsOfGroup.map { kind in
                let object = try context.insert(kind)
                try object.set("text", to: "\(kind) \(number)")
                try object.set("number", to: Int64(number))
                return object
            }
            let items = Array(group[2...6])
            for item in items { try item.set("owner", to: group[0]) }
            try group[1].set("queue", to: items)
            try items[0].set("partner", to: items[1])
            try group[7].set("items", to: Array(items[0...2]))
            try group[8].set("items", to: Array(items[1...4]))
            try group[7].set("ranking", to: Array(items.reversed()))
            try group[0].set("badge", to: group[9])
            for badge in group[9...10] { try badge.set("keeper", to: group[14]) }
            for part in group[11...13] { try part.set("whole", to: group[0]) }
        }
        try context.save()
    }

    private func objects(of kind: String) throws -> [ManagedObject] {
        try context.fetch(FetchRequest<ManagedObject>(entityName: kind))
    }

    /// Reads all relationships from both sides.
    private func read() throws {
        for kind in GraphModel.kinds {
            let relations = GraphModel.relations(of: kind)
            for object in try objects(of: kind) {
                for relation in relations where relation.isMany { _ = try object.objects(relation.name) }
                for relation in relations where !relation.isMany { _ = try object.object(relation.name) }
            }
        }
    }

    /// Adds, removes and moves members, merges conflicting changes of another context, rolls back and refreshes.
    private func change() throws {
        let (owners, items, tags) = try (objects(of: "Owner"), objects(of: "Item"), objects(of: "Tag"))
        for (index, item) in items.enumerated() {
            try item.set("owner", to: owners[index % owners.count])
            try item.set("line", to: index % 3 == 0 ? nil : owners[(index + 1) % owners.count])
            try item.set("partner", to: index % 2 == 0 ? items[(index + 1) % items.count] : nil)
        }
        for (index, tag) in tags.enumerated() {
            try tag.set("items", to: [items[index % items.count], items[(index + 7) % items.count]])
            try tag.set("ranking", to: Array(try tag.objects("ranking").reversed()))
        }
        try context.save()
        for (index, tag) in tags.enumerated() { try tag.set("items", to: [items[(index + 3) % items.count]]) }
        for item in items { try item.set("number", to: Int64(-1)) }
        try changeElsewhere()
        _ = try objects(of: "Item")
        context.rollback()
        try context.refreshAll(mergeChanges: false)
    }

    /// Changes some objects and deletes others in another context.
    private func changeElsewhere() throws {
        let other = store.makeThreadContext(name: "other")
        let items = try other.fetch(FetchRequest<ManagedObject>(entityName: "Item"))
        for (index, item) in items.enumerated() {
            if index % 5 == 0 { other.delete(item) } else { try item.set("number", to: Int64(-2)) }
        }
        try other.save()
    }

    private func delete() throws {
        for kind in ["Owner", "Badge", "Keeper", "Item", "Tag", "Part"] {
            for object in try objects(of: kind) where object.isLive { context.delete(object) }
        }
        try context.save()
    }

    private static var residentKilobytes: Int {
        let lines =
            (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
