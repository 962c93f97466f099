import Foundation

/// A process of the executable `StoreUser`, which says in lines what it has done.
public final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private var output: LineReader

    /// Starts it.
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

    /// The number by which the system knows it.
    public var number: Int32 { process.processIdentifier }

    /// The next line that it says; nil when it has ended.
    public func line() -> String? { output.line() }

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
