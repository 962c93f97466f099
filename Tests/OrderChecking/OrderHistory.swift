import ContextCore
import Foundation

/// The record of one operation, with times of a logical clock.
struct OrderRecord: Sendable, Hashable {
    enum Kind: Sendable {
        /// A block of `store.write` or `store.read`.
        case write, read
        /// A change or a read in a long-lived context.
        case edit, look

        var changes: Bool { self == .write || self == .edit }
    }

    /// The number of the operation, which a write saves in the store.
    let number: Int
    let kind: Kind
    let lane: Int
    /// The time just before it was submitted.
    var called = 0
    /// The time when it certainly had its position in the order; nil if unknown.
    var accepted: Int?
    /// The runs of its block.
    var attempts: [Attempt] = []
    /// The time when it completed; nil before.
    var returned: Int?
    /// The time when the store's list of operations was first found to lack it, after it was accepted and before it completed.
    var unlisted: Int?
    /// Whether the store's list of operations was found to have it twice, or after it completed.
    var isOverlisted = false
    var isDone = false
    /// The states that it read first and last.
    var first: OrderSight?
    var last: OrderSight?
    /// The number of the write in the entry that it read; nil if it read none, `.some(nil)` if there was no entry.
    var entry: Int??

    /// The name of the operation.
    var name: String { "\(lane):\(number)" }

    /// The times when a run of a block began and ended.
    struct Attempt: Sendable, Hashable {
        var began: Int
        var ended: Int?
    }
}

/// The recorded history of a program that uses a store.
///
/// A mutex guards `state`. The lock `submission` is held while an operation is submitted, so that its position in the order is known.
final class OrderHistory: Sendable {
    private struct State {
        var clock = 0
        var records: [Int: OrderRecord] = [:]
    }

    private let state = Guarded(State())
    private let submission = NSLock()

    /// The records of all operations so far.
    var records: [OrderRecord] { state.withLock { $0.records.values.sorted { $0.number < $1.number } } }

    /// Changes the record of an operation, and passes the current time.
    func update(_ number: Int, _ change: @Sendable (inout OrderRecord, Int) -> Void) {
        state.withLock { state in
            state.clock += 1
            guard var record = state.records[number] else { return }
            change(&record, state.clock)
            state.records[number] = record
        }
    }

    /// Records that an operation is about to be submitted.
    func call(_ record: OrderRecord) {
        state.withLock { state in
            state.clock += 1
            var record = record
            record.called = state.clock
            state.records[record.number] = record
        }
    }

    /// Submits an operation while no other task submits one, and records that it has its position.
    func submit(_ record: OrderRecord, _ submit: () -> Void) {
        submission.lock()
        defer { submission.unlock() }
        call(record)
        submit()
        update(record.number) { $0.accepted = $1 }
    }
}
