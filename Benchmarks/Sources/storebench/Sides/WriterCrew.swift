import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend

/// Processes of this program that write to the store under test.
final class WriterCrew {
    static let size = 4

    private let url: String
    private let tasks: Int
    private let isHot: Bool
    private var members: [(process: Process, input: FileHandle, output: FileHandle)] = []

    struct WriterEnded: Error, CustomStringConvertible {
        let description = "A writer process ended unexpectedly."
    }

    init(url: String, tasks: Int, isHot: Bool) {
        self.url = url
        self.tasks = tasks
        self.isHot = isHot
    }

    deinit {
        for member in members {
            try? member.input.close()
            member.process.waitUntilExit()
        }
    }

    /// Starts the processes, and waits until each has opened the store.
    func start() throws {
        for number in 0..<Self.size {
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = Bundle.main.executableURL
            process.arguments = [
                WriterProcess.command, url, "\(isHot ? 0 : number * tasks)", "\(tasks)",
                isHot ? "hot" : "own",
            ]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            members.append((process, input.fileHandleForWriting, output.fileHandleForReading))
        }
        try waitForLines()
    }

    /// Makes each task of each process write a number of times, and returns the total number of writes.
    func run(times: Int) throws -> Int64 {
        for member in members { try member.input.write(contentsOf: Data("\(times)\n".utf8)) }
        try waitForLines()
        return Int64(times * tasks * members.count)
    }

    /// Waits for a line from each process.
    private func waitForLines() throws {
        for member in members {
            guard try member.output.read(upToCount: 1) == Data("\n".utf8) else { throw WriterEnded() }
        }
    }
}

/// A process that writes: `storebench write-for URL FIRST TASKS own|hot`.
struct WriterProcess {
    static let command = "write-for"

    private let url: String
    private let first: Int
    private let tasks: Int
    private let isHot: Bool

    /// Creates the process's work from the command line; nil if the command line has another command.
    init?(_ words: [String]) {
        guard words.count == 5, words[0] == Self.command, let first = Int(words[2]), let tasks = Int(words[3])
        else { return nil }
        (url, self.first, self.tasks, isHot) = (words[1], first, tasks, words[4] == "hot")
    }

    /// Writes as often as each line of its input says, until the input ends.
    func run() async throws {
        let store = try await Store.open(
            url, backends: [.sqlite, .postgres], model: WorkloadEnvironment.model,
            options: StoreOptions(writes: .concurrent(limit: tasks)))
        let ids = try await store.itemIDs()
        writeLine()
        while let times = readLine().flatMap({ Int($0) }) {
            let own = isHot ? Array(repeating: ids[first], count: tasks) : Array(ids[first..<first + tasks])
            try await store.increment(own, times: times, isHot: isHot)
            writeLine()
        }
        await store.close()
    }

    private func writeLine() { FileHandle.standardOutput.write(Data("\n".utf8)) }
}
