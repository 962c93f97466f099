#if SQLite
import Foundation

/// The locks of all visible processes on a database and its log.
struct FileLocks {
    /// What a process does with the database.
    enum State: String {
        case writing, checkpointing, reading, open
    }

    /// A process that reads a snapshot, and the number of the mark that it has locked.
    struct Reader: Equatable {
        let process: Int32
        let mark: Int
    }

    private let index: [FileLock]
    private let database: [FileLock]
    private let usesLog: Bool

    /// Reads the locks of the system; there are none if the system doesn't report them.
    init(_ file: StoreFile) {
        self.init(
            FileLock.all, index: LockHolder.FileKey(file.index), database: LockHolder.FileKey(file.path))
    }

    /// - Parameters:
    ///   - index: The WAL index, whose locks replace those of the database in WAL mode.
    init(_ locks: [FileLock], index: LockHolder.FileKey?, database: LockHolder.FileKey?) {
        func found(on key: LockHolder.FileKey?) -> [FileLock] {
            locks.filter { !$0.isOfWholeFile && $0.file == key?.file && $0.device == key?.device }
        }
        self.index = found(on: index)
        self.database = found(on: database)
        usesLog = index != nil
    }

    /// The processes that hold a lock.
    var processes: Set<Int32> { Set((index + database).map(\.process)) }

    /// Returns what a process does.
    func state(of process: Int32) -> State {
        func holds(_ locks: [FileLock], _ bytes: ClosedRange<UInt64>, exclusive: Bool) -> Bool {
            locks.contains {
                $0.process == process && $0.bytes.overlaps(bytes) && (!exclusive || $0.isExclusive)
            }
        }
        if holds(index, FileLock.Part.writing, exclusive: true) { return .writing }
        if holds(database, FileLock.Part.reserved, exclusive: true) { return .writing }
        if holds(index, FileLock.Part.checkpointing, exclusive: true) { return .checkpointing }
        if holds(index, FileLock.Part.marks, exclusive: false) { return .reading }
        // In WAL mode every open connection has this lock.
        if !usesLog, holds(database, FileLock.Part.database, exclusive: false) { return .reading }
        return .open
    }

    /// The processes that read a snapshot, with a log.
    var readers: [Reader] {
        index.flatMap { lock -> [Reader] in
            FileLock.Part.marks.filter { !lock.isExclusive && lock.bytes.contains($0) }.map {
                Reader(process: lock.process, mark: Int($0 - FileLock.Part.marks.lowerBound))
            }
        }
    }
}
#endif
