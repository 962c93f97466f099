import ChildProcesses
import Foundation

/// A process of the executable `StoreMover`.
///
/// State: what it has said and nobody has read yet, used by one task at a time.
final class MoverProcess: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private var buffer = Data()

    /// When it kills itself.
    enum Death {
        /// Once it has told so much: it tells of each step before it does it.
        case telling(Int)
        /// So many microseconds after it has told of the first step.
        case later(Int)

        var word: String {
            switch self {
            case .telling(let count): String(count)
            case .later(let microseconds): "\(microseconds)us"
            }
        }
    }

    /// - Parameter death: When it kills itself; nil for never.
    init(_ url: String, _ folder: String, _ version: String, dying death: Death?) throws {
        process.executableURL = Self.executable("StoreMover")
        process.arguments = [url, folder, version] + (death.map { [$0.word] } ?? [])
        process.environment = Self.environment
        process.standardOutput = output
        try process.run()
    }

    convenience init(_ url: String, _ folder: String, _ version: String, dyingAt count: Int? = nil) throws {
        try self.init(url, folder, version, dying: count.map(Death.telling))
    }

    static func executable(_ name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name)
    }

    /// A child that a test kills has nobody to write a backtrace for, which takes it seconds.
    static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { _, ours in ours }
    }

    /// The next line that it says; nil where it ends without one.
    func line() async throws -> String? {
        try await onThread { [self] in
            while true {
                if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: buffer[..<end], as: UTF8.self)
                    buffer = Data(buffer[(end + 1)...])
                    return line
                }
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                buffer += more
            }
        }
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

    /// Lets it do nothing more, for the time being; on return it does nothing.
    func freeze() {
        Foundation.kill(process.processIdentifier, SIGSTOP)
        while isRunning, !isFrozen { usleep(100) }
    }

    /// Whether it does nothing, for the time being.
    var isFrozen: Bool {
        let path = "/proc/\(process.processIdentifier)/stat"
        let words = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        // Its name comes before, in parentheses, and may be any.
        return words.split(separator: ")").last?.hasPrefix(" T") == true
    }

    /// Lets it go on.
    func thaw() { Foundation.kill(process.processIdentifier, SIGCONT) }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for its end; answers its status and what it has said that wasn't read.
    func wait() async throws -> (status: Int32, words: String) {
        try await onThread { [self] in
            let rest = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: buffer + rest, as: UTF8.self))
        }
    }
}

/// A process of the executable `storectl`, which works on one store.
struct ToolProcess {
    private let process = Process()

    init(_ url: String, _ words: [String]) throws {
        process.executableURL = MoverProcess.executable("storectl")
        process.arguments = words
        process.environment = MoverProcess.environment.merging(["STORECTL_URL": url]) { _, ours in ours }
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
