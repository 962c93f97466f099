import Foundation

/// A process of the executable `StoreUser`, which reports its progress line by line.
public final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private var output: LineReader

    /// Starts the process.
    public init(_ work: String, url: String, name: String, count: Int? = nil) throws {
        let output = Pipe()
        self.output = LineReader(output.fileHandleForReading)
        process.executableURL = ChildProgram.url("StoreUser")
        process.arguments = [work, url, name] + (count.map { ["\($0)"] } ?? [])
        process.environment = ChildProgram.environment
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    deinit { if process.isRunning { kill() } }

    /// The process identifier.
    public var number: Int32 { process.processIdentifier }

    /// Returns the next line of output; nil at the end of the output.
    public func line() -> String? { output.line() }

    /// Returns all remaining lines of output.
    public func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Lets the process continue, by a line of input.
    public func proceed() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

    /// Kills the process with `SIGKILL`, which it can't handle.
    public func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for the end of the process, and returns its exit status.
    public func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
