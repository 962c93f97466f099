import Testing

@testable import StoreAdmin

/// `history prune` with unreadable records.
struct HistoryPruneTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available)
    func `An unreadable history record is pruned like any other`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let damage = place == .sqlite ? "x'ff'" : "'\\xff'"
        let changed = bench.run("sql", "--write", "UPDATE _store_history SET changes = \(damage)")
        #expect(changed.exit == .success, "\(changed.problems)")
        #expect(bench.run("history", "list").exit != .success)
        let pruned = bench.run("history", "prune", "--keep", "0")
        #expect(pruned.exit == .success, "\(pruned.problems)")
        #expect(bench.run("history", "list").exit == .success)
    }
}
