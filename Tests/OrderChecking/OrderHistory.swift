import ContextCore
import Foundation

/// What became of one operation: the moments are those of one clock, which counts.
struct OrderRecord: Sendable, Hashable {
    enum Kind: Sendable {
        /// A block of `store.write` or `store.read`.
        case write, read
        /// A change or a look of a context that lives long.
        case edit, look

        var changes: Bool { self == .write || self == .edit }
    }

    /// Its number, which a write leaves in the store.
    let number: Int
    let kind: Kind
    let lane: Int
    /// Just before it was submitted.
    var called = 0
    /// When it had its place in the order for certain; nil where that isn't known.
    var accepted: Int?
    /// Each time that its block ran.
    var attempts: [Attempt] = []
    /// When it was answered.
    var returned: Int?
    /// When it was first seen to be in no list of the store's operations, between its place in the order and its answer.
    var unlisted: Int?
    /// Whether it was seen to be listed twice, or after its answer.
    var isOverlisted = false
    var isDone = false
    /// What it saw first, and what it saw last.
    var first: OrderSight?
    var last: OrderSight?
    /// The number of the write that its entry names; nil where it has not looked, or there is none.
    var entry: Int??

    /// What the operation is called.
    var name: String { "\(lane):\(number)" }

    /// When a block began and ended.
    struct Attempt: Sendable, Hashable {
        var began: Int
        var ended: Int?
    }
}

/// The recorded history of a program that works on a store.
///
/// `state` is guarded by its mutex. `submission` is held while an operation is submitted, so that its place is known.
final class OrderHistory: Sendable {
    private struct State {
        var clock = 0
        var records: [Int: OrderRecord] = [:]
    }

    private let state = Guarded(State())
    private let submission = NSLock()

    /// What has happened so far.
    var records: [OrderRecord] { state.withLock { $0.records.values.sorted { $0.number < $1.number } } }

    /// Notes something about an operation, with the moment.
    func note(_ number: Int, _ change: @Sendable (inout OrderRecord, Int) -> Void) {
        state.withLock { state in
            state.clock += 1
            guard var record = state.records[number] else { return }
            change(&record, state.clock)
            state.records[number] = record
        }
    }

    /// Notes that an operation is about to be submitted.
    func call(_ record: OrderRecord) {
        state.withLock { state in
            state.clock += 1
            var record = record
            record.called = state.clock
            state.records[record.number] = record
        }
    }

    /// Submits an operation while nobody else does, and notes that it has its place.
    func submit(_ record: OrderRecord, _ submit: () -> Void) {
        submission.lock()
        defer { submission.unlock() }
        call(record)
        submit()
        note(record.number) { $0.accepted = $1 }
    }
}
