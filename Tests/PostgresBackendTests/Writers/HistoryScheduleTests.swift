#if Postgres
import ChildProcesses
import Testing

@testable import PostgresBackend

/// Tests that followers of a history miss nothing, whatever the order in which its numbers become visible.
///
/// `STORE_HISTORY_SEEDS` is the number of schedules.
struct HistoryScheduleTests {
    @Test
    func `Each follower gets each save once in the order of versions, unlike a naive one`() {
        var misled = 0
        for seed in 1...UInt64(Effort.count("STORE_HISTORY_SEEDS", otherwise: 200)) {
            var history = NumberedHistory(seed: seed, writers: 32, saves: 5, followers: 8)
            history.run()
            #expect(history.committed.count == 160 && history.lostNumbers > 0, "seed \(seed)")
            for follower in history.followers {
                let versions = Dictionary(grouping: follower.read, by: \.row).mapValues { $0.map(\.version) }
                let isInOrder = versions.values.allSatisfy { $0 == Array(1...$0.count) }
                let isWhole = follower.read.count == 160 && Set(follower.read) == Set(history.committed)
                if follower.isNaive {
                    misled += isWhole && isInOrder ? 0 : 1
                } else {
                    #expect(isWhole && isInOrder, "seed \(seed)")
                }
            }
        }
        // A check of the schedules: a naive follower misses something in some of them.
        #expect(misled > 0)
        print("Schedules that mislead a naive follower: \(misled)")
    }
}
#endif
