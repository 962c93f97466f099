#if SQLite
import CFaultyFiles
import CSQLite
import Foundation

/// A file system for SQLite that fails when it is told to.
// @unchecked: the pointer never changes, and what it points to has a lock of its own.
final class FaultyFiles: @unchecked Sendable {
    /// What is done with a file.
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

    /// Which files.
    struct Kinds: OptionSet {
        let rawValue: UInt32
        static let main = Kinds(rawValue: 1)
        static let log = Kinds(rawValue: 2)
        static let journal = Kinds(rawValue: 4)
        static let index = Kinds(rawValue: 8)
        static let all = Kinds(rawValue: 31)
    }

    /// What goes wrong.
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

    /// - Parameter records: Whether it remembers what has reached the disk, so that the power can be cut.
    init(records: Bool = false) {
        // The function answers null only when there is no memory left.
        guard let files = faulty_files_make(name, records ? 1 : 0) else { preconditionFailure("No memory.") }
        self.files = files
    }

    deinit { faulty_files_free(files) }

    /// Lets the operations fail that match, from the one after the next `after` on, so many times.
    func fail(
        _ operations: Operations, of kinds: Kinds = .all, after: Int = 0, times: Int = .max,
        with fault: Fault = .error
    ) {
        faulty_files_fail(
            files, operations.rawValue, kinds.rawValue, Int64(after), Int64(times), fault.result,
            fault.isPartial ? 1 : 0)
    }

    /// Lets operations fail with a result code of SQLite's.
    func fail(_ operations: Operations, of kinds: Kinds, result: Int32, times: Int = .max) {
        faulty_files_fail(files, operations.rawValue, kinds.rawValue, 0, Int64(times), result, 0)
    }

    /// Counts the operations that match, and fails none.
    func count(_ operations: Operations, of kinds: Kinds = .all) {
        faulty_files_fail(files, operations.rawValue, kinds.rawValue, .max, 0, 0, 0)
    }

    func heal() { faulty_files_heal(files) }

    /// How many operations have matched since the last order.
    var matched: Int { Int(faulty_files_matched(files)) }
    /// How many of them failed.
    var failed: Int { Int(faulty_files_failed(files)) }

    /// Puts every file back to what a power cut could have left; returns how many writes were lost.
    @discardableResult
    func cutPower(seed: UInt64) -> Int { Int(faulty_files_cut(files, seed)) }
}
#endif
