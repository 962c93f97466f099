import ContextCore
import Foundation

/// Plays for a time without a terminal, and prints whether the store behaved correctly.
struct Report {
    let settings: Settings
    let seconds: Int
    /// The number of other processes that play on the same store.
    var guestCount = 0
    /// Whether another process creates the games and checks them at the end.
    var isGuest = false

    /// The fraction of the run after which memory is first measured; from then on it must not grow.
    private static let warmUpFraction = 0.2
    /// The minimum duration of a run, in seconds, for its memory to be checked.
    private static let minimumSecondsForMemoryCheck = 60

    /// Plays, prints the report, and returns whether everything was correct.
    func run() async throws -> Bool {
        let counters = Counters()
        let store = try await settings.open(counters)
        let play = Play(store: store, counters: counters)
        if !isGuest { try await play.setUp() }
        let guests = try (0..<guestCount).map { _ in try Guest(settings, seconds: seconds) }
        let lists = try await WatchedLists(store)
        print(
            "Games: \(seconds) s on \(settings.name), \(settings.discipline), \(settings.threads) at once"
                + (guestCount > 0 ? " in each of \(guestCount + 1) processes" : ""))
        let crew = Crew()
        await crew.set(settings.threads, play)
        let memory = try await watch(play)
        await crew.set(0, play)
        let counts = counters.counts
        var (guestRounds, complaints) = (0, [String]())
        for guest in guests {
            let outcome = await guest.outcome()
            guestRounds += outcome.rounds
            complaints += outcome.complaint.map { ["a guest was \($0)"] } ?? []
        }
        if guestCount > 0 { print("  guests      \(guestRounds) rounds") }
        // If this process is a guest, others still play.
        if !isGuest { complaints += await lists.complaints() }
        let agreement = complaints.isEmpty ? "equal to the store" : "different from the store"
        print(counts, counters.recentWaits, memory)
        if isGuest {
            print(Guest.roundsLine(counts.rounds))
        } else {
            print("  lists       \(await lists.text), \(agreement)")
        }
        complaints += isGuest ? play.ownComplaints : await play.complaints(guestRounds: guestRounds)
        await store.close()
        if counts.operations == 0 { complaints.append("no operation ended") }
        if let complaint = memory.complaint, seconds >= Self.minimumSecondsForMemoryCheck {
            complaints.append(complaint)
        }
        print("verdict: \(complaints.isEmpty ? "green" : "red: " + complaints.joined(separator: "; "))")
        return complaints.isEmpty
    }

    private struct Memory {
        var early: Int?
        var last: Int?

        /// A message about the growth of memory; nil if it grew by at most a fifth plus 16 MB, which the allocator may retain.
        var complaint: String? {
            guard let early, let last, last > early * 6 / 5 + 16 * 1_048_576 else { return nil }
            return "memory grew from \(ResidentMemory.text(early)) to \(ResidentMemory.text(last))"
        }
    }

    private func watch(_ play: Play) async throws -> Memory {
        var memory = Memory()
        for second in 1...seconds {
            try await Task.sleep(for: .seconds(1))
            if second % 5 == 0, !isGuest { try await play.pruneHistory() }
            if memory.early == nil, Double(second) >= Double(seconds) * Self.warmUpFraction {
                memory.early = ResidentMemory.now
            }
        }
        memory.last = ResidentMemory.now
        return memory
    }

    private func print(_ counts: Counters.Counts, _ waits: Counters.Waits, _ memory: Memory) {
        print("  operations  \(counts.operations), \(counts.operations / seconds) a second")
        print("  saves       \(counts.saves), \(counts.saves / seconds) a second")
        print("  reads       \(counts.reads), \(counts.inconsistentReads) of them saw half of a write")
        print(
            "  waits       median \(Text.formatted(waits.median)), 99th percentile \(Text.formatted(waits.percentile99))"
        )
        print(
            "  memory      \(ResidentMemory.text(memory.early)) after a fifth of the time, "
                + "\(ResidentMemory.text(memory.last)) at the end")
    }

    private func print(_ line: String) { Swift.print(line) }
}
