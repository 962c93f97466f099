import ChildProcesses
import Foundation

/// A process of the executable `StoreMover`.
///
/// State: what it has said and nobody has read yet, used by one task at a time.
final class MoverProcess: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private var words: LineReader

    /// What becomes of it in the middle of its work.
    enum Fate {
        /// It kills itself once it has told so much: it tells of each step before it does it.
        case dyingAfterTelling(Int)
        /// It kills itself so many microseconds after it has told of the first step.
        case dyingLater(Int)
        /// In a file, its steps wait at their commit until nothing lies at a path any more; so long nobody else may open it, and who
        /// wants to has to be patient.
        case waiting(gate: String)

        var word: String {
            switch self {
            case .dyingAfterTelling(let count): String(count)
            case .dyingLater(let microseconds): "\(microseconds)us"
            case .waiting(let gate): gate
            }
        }

        /// What is added to the address of the store.
        var settings: String {
            if case .waiting = self { "?busy_timeout=900s" } else { "" }
        }
    }

    /// - Parameter fate: What becomes of it; nil where it goes on to the end.
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

    /// The next line that it says; nil where it ends without one.
    func line() async throws -> String? {
        try await onThread { [self] in words.line() }
    }

    /// The place among some processes of the first that says something, as the one does that has the lock; nil where all have ended.
    static func speaker(among movers: [MoverProcess]) async throws -> Int? {
        try await onThread {
            var entries = movers.map { mover in
                pollfd(
                    fd: mover.output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            }
            while true {
                _ = poll(&entries, nfds_t(entries.count), -1)
                if let place = entries.firstIndex(where: { $0.revents & Int16(POLLIN) != 0 }) { return place }
                // Those that have ended without a word are looked at no more.
                for place in entries.indices where entries[place].revents != 0 { entries[place].fd = -1 }
                if entries.allSatisfy({ $0.fd < 0 }) { return nil }
            }
        }
    }

    var isRunning: Bool { process.isRunning }

    var identifier: Int32 { process.processIdentifier }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for its end; answers its status and what it has said that wasn't read.
    func wait() async throws -> (status: Int32, words: String) {
        try await onThread { [self] in
            let rest = words.rest()
            process.waitUntilExit()
            return (process.terminationStatus, rest)
        }
    }
}

/// A process of the executable `storectl`, which works on one store.
struct ToolProcess {
    private let process = Process()

    init(_ url: String, _ words: [String]) throws {
        process.executableURL = ChildProgram.url("storectl")
        process.arguments = words
        process.environment = ChildProgram.environment.merging(["STORECTL_URL": url]) { _, ours in ours }
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    /// Waits for its end; answers its status.
    func wait() async throws -> Int32 {
        try await onThread { [process] in
            process.waitUntilExit()
            return process.terminationStatus
        }
    }
}
