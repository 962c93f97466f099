import CBaseline
import ContextCore
import Foundation

extension Workload {
    /// Follows 100,000 sorted rows, one of which another context changes: from the save to the difference that reports it.
    ///
    /// C runs the request again, because it doesn't know what has changed; the change itself is not measured.
    static let follow = Workload(name: "frc-1", bars: [.sqlite: .ratio(0.03)]) { environment in
        let rows = ItemRows(count: environment.scaled(100_000))
        let numbers = rows.scatteredNumbers(rows.count)
        let lists = Cache<FollowedItems>()
        let (ourTurns, theirTurns) = (CallCounter(), CallCounter())
        return try await environment.sides(
            before: { [values = rows.values] store in
                if lists["\(ObjectIdentifier(store))"] != nil { return }
                try await store.fill(with: values)
                lists["\(ObjectIdentifier(store))"] = try await FollowedItems(store)
            },
            work: { store, watch in
                let turn = ourTurns.next()
                guard let list = lists["\(ObjectIdentifier(store))"] else { return -1 }
                try await list.change(row: numbers[turn % numbers.count], title: title(turn), watch)
                return try await list.checksum()
            },
            baselineBefore: { database in
                let turn = theirTurns.next()
                if turn == 0 { try database.fill(with: rows) }
                try database.call { baseline_touch($0, numbers[turn % numbers.count], title(turn)) }
            },
            baseline: { try $0.call(baseline_fetch_sorted) })
    }

    /// Returns a title of the common length, at a varying position in the order.
    private static func title(_ turn: Int) -> String {
        String(format: "Item %015lld", Int64(turn + 1) &* 7_919_000_000_000 % 1_000_000_000_000_000)
    }
}

/// Counts calls.
private final class CallCounter {
    private var count = 0

    /// Returns the number of previous calls.
    func next() -> Int {
        defer { count += 1 }
        return count
    }
}

/// All items in the order of their titles, in a context that merges the saves of other contexts.
private final class FollowedItems {
    private let store: Store
    private let context: ContextActor
    private let ids: [ObjectID]
    private var changes: ResultsChanges.Iterator

    init(_ store: Store) async throws {
        self.store = store
        ids = try await store.itemIDs()
        context = store.makeBackgroundContext(name: "list")
        changes = try await context.perform { context in
            context.automaticallyMergesChanges = true
            return try FetchedResultsController(Item.self, order: .ascending(\.title), in: context).changes
        }.makeAsyncIterator()
        // The first difference contains all rows.
        _ = await changes.next()
    }

    /// Changes a row in a write, and waits for the difference.
    func change(row: Int64, title: String, _ watch: Stopwatch) async throws {
        let id = ids[Int(row) - 1]
        try await store.write("change") { context in
            let item = try context.object(with: id, as: Item.self)
            item.title = title
            item.count += 1
            // Only the save of the block remains.
            watch.start()
        }
        _ = await changes.next()
        watch.stop()
    }

    /// Returns the checksum of the list.
    func checksum() async throws -> Int64 {
        try await context.perform { context in
            try context.fetch(Item.self).reduce(0) { $0 &+ $1.checksum }
        }
    }
}
