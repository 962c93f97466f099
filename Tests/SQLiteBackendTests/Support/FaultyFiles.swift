#if SQLite
import CFaultyFiles
import CSQLite
import Foundation

/// A file system for SQLite that fails on demand.
// @unchecked: the pointer never changes, and the memory that it points to has a lock.
final class FaultyFiles: @unchecked Sendable {
    /// The operations on files.
    struct Operations: OptionSet {
        let rawValue: UInt32
        static let open = Operations(rawValue: 1)
        static let read = Operations(rawValue: 2)
        static let write = Operations(rawValue: 4)
        static let sync = Operations(rawValue: 8)
        static let truncate = Operations(rawValue: 16)
        static let size = Operations(rawValue: 32)
        static let delete = Operations(rawValue: 64)
        static let access = Operations(rawValue: 128)
        static let lock = Operations(rawValue: 256)
        static let map = Operations(rawValue: 512)
        static let mapLock = Operations(rawValue: 1024)
        static let all = Operations(rawValue: 2047)
    }

    /// The kinds of files.
    struct Kinds: OptionSet {
        let rawValue: UInt32
        static let main = Kinds(rawValue: 1)
        static let log = Kinds(rawValue: 2)
        static let journal = Kinds(rawValue: 4)
        static let index = Kinds(rawValue: 8)
        static let all = Kinds(rawValue: 31)
    }

    /// The kinds of faults.
    enum Fault: CaseIterable {
        case error, full, halfWritten, halfWrittenAndFull

        var result: Int32 {
            switch self {
            case .error, .halfWritten: 10
            case .full, .halfWrittenAndFull: SQLITE_FULL
            }
        }
        var isPartial: Bool { self == .halfWritten || self == .halfWrittenAndFull }
    }

    let name = "faulty-\(UUID().uuidString)"
    private let files: OpaquePointer

    /// - Parameter records: Whether it records the writes that have reached the disk, to simulate a power cut.
    init(records: Bool = false) {
        // The function returns null only if there is no memory left.
        guard let files = faulty_files_make(name, records ? 1 : 0) else { preconditionFailure("No memory.") }
        self.files = files
    }

    deinit { faulty_files_free(files) }

    /// Makes matching operations fail, after skipping `after` of them, the given number of times.
    func fail(
        _ operations: Operations, of kinds: Kinds = .all, after: Int = 0, times: Int = .max,
        with fault: Fault = .error
    ) {
        faulty_files_fail(
            files, operations.rawValue, kinds.rawValue, Int64(after), Int64(times), fault.result,
            fault.isPartial ? 1 : 0)
    }

    /// Makes operations fail with a result code of SQLite.
    func fail(_ operations: Operations, of kinds: Kinds, result: Int32, times: Int = .max) {
        faulty_files_fail(files, operations.rawValue, kinds.rawValue, 0, Int64(times), result, 0)
    }

    /// Counts the matching operations without making them fail.
    func count(_ operations: Operations, of kinds: Kinds = .all) {
        faulty_files_fail(files, operations.rawValue, kinds.rawValue, .max, 0, 0, 0)
    }

    func heal() { faulty_files_heal(files) }

    /// The number of matching operations since the last order.
    var matched: Int { Int(faulty_files_matched(files)) }
    /// The number of them that failed.
    var failed: Int { Int(faulty_files_failed(files)) }

    /// Restores a state of every file that a power cut could have left; returns the number of lost writes.
    @discardableResult
    func cutPower(seed: UInt64) -> Int { Int(faulty_files_cut(files, seed)) }
}
#endif
