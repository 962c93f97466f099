#if SQLite
import ContextCore
import Foundation

/// The processes that have a database open or hold locks on it, without those that the system hides from this process.
///
/// On Linux it reads `/proc`, which shows the open files only of processes of the same user, and no processes of other containers. It
/// doesn't open the database's files, because a process loses its locks on a file when it closes any descriptor of it.
struct FileProcesses {
    let sessions: [StoreActivity.Session]
    /// Sentences about what the system doesn't show.
    let limits: [String]
    /// The locks on the database and its log.
    private let locks: FileLocks

    init(_ file: StoreFile) {
        locks = FileLocks(file)
        let own = ProcessInfo.processInfo.processIdentifier
        let (open, hiddenCount) = Self.openers(of: file)
        var sessions: [StoreActivity.Session] = []
        for process in open.union(locks.processes).sorted() {
            let state = locks.state(of: process)
            // This process has the file open for the inspection.
            if process == own, state != .writing { continue }
            sessions.append(Self.session(process, state, isOwn: process == own))
        }
        self.sessions = sessions.filter(\.usesStore) + sessions.filter { !$0.usesStore }
        limits = Self.limits(hiddenCount: hiddenCount)
    }

    private static func limits(hiddenCount: Int) -> [String] {
        #if os(Linux)
        let waiting =
            "A process that waits for the write lock is listed like one that only has the file open, because SQLite polls the lock."
        if hiddenCount == 0 { return [waiting] }
        return [
            waiting,
            "The open files of \(hiddenCount) processes of other users are hidden, so that a process that only has this file open may be missing. The administrator of the machine sees all of them.",
        ]
        #else
        return ["On this system the processes that use a file can't be seen."]
        #endif
    }

    private static func session(
        _ process: Int32, _ state: FileLocks.State, isOwn: Bool
    ) -> StoreActivity.Session {
        var session = StoreActivity.Session(process: Int64(process))
        let folder = "/proc/\(process)"
        session.program = ProcessFile.text("\(folder)/comm").flatMap(LockHolder.name)
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
        session.user = attributes?[.ownerAccountName] as? String
        session.state = state.rawValue
        session.usesStore = state != .open
        session.isOwn = isOwn
        return session
    }

    /// Returns the processes that have the file open, and the number of processes that don't show their files.
    private static func openers(of file: StoreFile) -> (processes: Set<Int32>, hiddenCount: Int) {
        #if os(Linux)
        let key = LockHolder.FileKey(file.path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var (processes, hiddenCount) = (Set<Int32>(), 0)
        for process in names.compactMap({ Int32($0) }) {
            let folder = "/proc/\(process)/fd"
            guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
                if access("/proc/\(process)", F_OK) == 0 { hiddenCount += 1 }
                continue
            }
            // Links are followed without opening the files behind them.
            if key != nil,
                descriptors.contains(where: { LockHolder.FileKey(opened: "\(folder)/\($0)") == key })
            {
                processes.insert(process)
            }
        }
        return (processes, hiddenCount)
        #else
        return ([], 0)
        #endif
    }

    /// Returns the reader that holds back the checkpoint most; nil if there is none.
    func oldestReader(of log: LogState) -> StoreActivity.Obstacle? {
        let readers = locks.readers.compactMap { reader -> (process: Int32, distance: Int64)? in
            guard log.marks.indices.contains(reader.mark) else { return nil }
            // Readers of the first mark read only the file, so no page may be copied to it.
            let end = reader.mark == 0 ? log.copiedPages : log.marks[reader.mark]
            return (reader.process, log.pages - end)
        }
        guard let oldest = readers.max(by: { $0.distance < $1.distance }), oldest.distance > 0 else {
            return nil
        }
        return StoreActivity.Obstacle(
            .checkpoint, .session, process: Int64(oldest.process),
            name: ProcessFile.text("/proc/\(oldest.process)/comm").flatMap(LockHolder.name), since: nil,
            distance: oldest.distance)
    }
}
#endif
