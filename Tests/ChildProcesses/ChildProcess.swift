import Foundation

/// A process of the executable `StoreUser`, which says in lines what it has done.
public final class ChildProcess {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var buffer = Data()

    /// Starts it.
    public init(_ work: String, url: String, name: String, count: Int? = nil) throws {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        process.executableURL = folder.appendingPathComponent("StoreUser")
        process.arguments = [work, url, name] + (count.map { ["\($0)"] } ?? [])
        // A child that a test kills or crashes has nobody to write a backtrace for, which takes it seconds.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no"]) { _, ours in ours }
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    deinit { if process.isRunning { kill() } }

    /// The next line that it says; nil when it has ended.
    public func line() -> String? {
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

    /// All lines that it still says until it ends.
    public func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Lets it go on.
    public func proceed() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

    /// Ends it as a power switch would, without letting it do anything more.
    public func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for its end; answers its status.
    public func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
