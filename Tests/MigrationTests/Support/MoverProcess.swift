import ChildProcesses
import Foundation

/// A process of the executable `StoreMover`.
///
/// State: its unread output, used by one task at a time.
final class MoverProcess: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private var words: LineReader

    /// The interruption of the process during its work.
    enum Fate {
        /// It kills itself after the given number of lines of output; it reports each step before it runs it.
        case dyingAfterTelling(Int)
        /// It kills itself the given number of microseconds after its first line of output.
        case dyingLater(Int)
        /// For a file: its steps wait before their commit until no file exists at a path. Meanwhile no other process can open the store,
        /// so others need a long timeout.
        case waiting(gate: String)

        var word: String {
            switch self {
            case .dyingAfterTelling(let count): String(count)
            case .dyingLater(let microseconds): "\(microseconds)us"
            case .waiting(let gate): gate
            }
        }

        /// The query parameters for the URL of the store.
        var settings: String {
            if case .waiting = self { "?busy_timeout=900s" } else { "" }
        }
    }

    /// - Parameter fate: The interruption; nil if the process runs to its end.
    init(_ url: String, _ folder: String, _ version: String, _ fate: Fate?) throws {
        words = LineReader(output.fileHandleForReading)
        process.executableURL = ChildProgram.url("StoreMover")
        process.arguments =
            [url + (fate?.settings ?? ""), folder, version] + (fate.map { [$0.word] } ?? [])
        process.environment = ChildProgram.environment
        process.standardOutput = output
        try process.run()
    }

    convenience init(_ url: String, _ folder: String, _ version: String, dyingAt count: Int? = nil) throws {
        try self.init(url, folder, version, count.map(Fate.dyingAfterTelling))
    }

    /// Returns the next line of output; nil if the output ends without one.
    func line() async throws -> String? {
        try await onThread { [self] in words.line() }
    }

    /// Returns the index of the first process with output, which is the one with the lock; nil if all have ended.
    static func speaker(among movers: [MoverProcess]) async throws -> Int? {
        try await onThread {
            var entries = movers.map { mover in
                pollfd(
                    fd: mover.output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            }
            while true {
                _ = poll(&entries, nfds_t(entries.count), -1)
                if let place = entries.firstIndex(where: { $0.revents & Int16(POLLIN) != 0 }) { return place }
                // Ignore processes that have ended without output from here on.
                for place in entries.indices where entries[place].revents != 0 { entries[place].fd = -1 }
                if entries.allSatisfy({ $0.fd < 0 }) { return nil }
            }
        }
    }

    var isRunning: Bool { process.isRunning }

    var identifier: Int32 { process.processIdentifier }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for the end of the process, and returns its exit status and its unread output.
    func wait() async throws -> (status: Int32, words: String) {
        try await onThread { [self] in
            let rest = words.rest()
            process.waitUntilExit()
            return (process.terminationStatus, rest)
        }
    }
}

/// A process of the executable `storectl` for one store.
struct ToolProcess {
    private let process = Process()

    init(_ url: String, _ words: [String]) throws {
        process.executableURL = ChildProgram.url("storectl")
        process.arguments = words
        process.environment = ChildProgram.environment.merging(["STORECTL_URL": url]) { _, ours in ours }
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    /// Waits for the end of the process, and returns its exit status.
    func wait() async throws -> Int32 {
        try await onThread { [process] in
            process.waitUntilExit()
            return process.terminationStatus
        }
    }
}
