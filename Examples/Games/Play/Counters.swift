import ContextCore
import Foundation

/// Counts the operations of a play, on any thread.
///
/// `lock` guards all mutable state.
// @unchecked: see above.
final class Counters: @unchecked Sendable {
    /// The counts so far.
    struct Counts: Sendable, Equatable {
        var operations = 0
        var saves = 0
        var rounds = 0
        var reads = 0
        /// Reads of a game whose points differ from the sum of its players' scores.
        var inconsistentReads = 0
        var failures = 0
        var lastFailure = ""
    }

    /// The times that recent operations have waited for their turn.
    struct Waits: Sendable, Equatable {
        var median = Duration.zero
        var percentile99 = Duration.zero
    }

    private static let maximumWaits = 4096

    private let lock = NSLock()
    private var state = Counts()
    private var waits: [Duration] = []
    private var nextWait = 0

    var counts: Counts { lock.withLock { state } }

    /// The median and the 99th percentile of the recent waits.
    var recentWaits: Waits {
        let sorted = lock.withLock { waits }.sorted()
        guard let last = sorted.last else { return Waits() }
        let rank = sorted.count * 99 / 100
        return Waits(
            median: sorted[sorted.count / 2], percentile99: rank < sorted.count ? sorted[rank] : last)
    }

    func recordOperation() { lock.withLock { state.operations += 1 } }
    func recordSave() { lock.withLock { state.saves += 1 } }

    func recordRound() {
        lock.withLock {
            state.saves += 1
            state.rounds += 1
        }
    }

    func recordRead(isConsistent: Bool) {
        lock.withLock {
            state.reads += 1
            if !isConsistent { state.inconsistentReads += 1 }
        }
    }

    func recordFailure(_ error: any Error) {
        lock.withLock {
            state.failures += 1
            state.lastFailure = "\(error)"
        }
    }

    /// A log that records how long operations wait.
    var log: OperationLog { OperationLog { [self] in recordWait($0.waited) } }

    private func recordWait(_ wait: Duration) {
        lock.withLock {
            if waits.count < Self.maximumWaits {
                waits.append(wait)
            } else {
                waits[nextWait] = wait
                nextWait = (nextWait + 1) % Self.maximumWaits
            }
        }
    }
}
