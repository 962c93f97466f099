import ChildProcesses
import ContextCore
import Foundation
import PostgresBackend
import SQLiteBackend
import Synchronization

@testable import StoreAdmin

/// Runs commands as a shell would, in a separate folder, and captures their output.
final class AdminBench {
    /// The result of a call.
    struct Outcome {
        let output: String
        let problems: String
        let exit: ExitCode
    }

    /// A temporary folder for the calls, which is their working directory and their home; it is deleted with this object.
    let folder: String
    var variables: [String: String] = [:]
    var model: ObjectModel?
    var stages: [String: [MigrationStage]] = [:]
    /// The name of the program.
    var toolName = Tool.defaultName
    /// The version of the application.
    var toolVersion: String?
    var style = TextStyle()
    /// The lines of standard input for the calls.
    var lines: [String] = []
    /// The error of writing to standard output; nil if writing succeeds.
    var failure: (any Error)?
    /// Whether standard input is a terminal.
    var isTerminal = false
    var stopRequest = StopRequest.none

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        variables = ["HOME": folder, "PATH": "/usr/bin:/bin"]
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The environment of the calls.
    var tool: Tool {
        var backends: [StoreBackend] = []
        #if SQLite
        backends.append(.sqlite)
        #endif
        #if Postgres
        backends.append(.postgres)
        #endif
        return Tool(
            model: model, stages: stages, backends: backends,
            libraries: [
                LinkedLibrary(name: "SQLite", version: "3.40.1"),
                LinkedLibrary(name: "libpq", version: "15.18"),
            ],
            environment: ConfigurationEnvironment(variables: variables, directory: folder), name: toolName,
            version: toolVersion, input: input)
    }

    private var input: LineInput {
        let rest = Mutex(lines[...])
        return LineInput(isTerminal: isTerminal) { rest.withLock { $0.popFirst() } }
    }

    /// Runs a command with its arguments.
    func run(_ words: String...) -> Outcome { run(words) }

    func run(_ words: [String]) -> Outcome {
        let said = Mutex((output: "", problems: ""))
        let failure = failure
        let output = Output(
            data: { text in
                if let failure { throw failure }
                said.withLock { $0.output += text }
            },
            message: { text in said.withLock { $0.problems += text } }, style: style, messageStyle: style)
        let exit = CommandRun(tool: tool, output: output, stopRequest: stopRequest).run(words)
        return said.withLock { Outcome(output: $0.output, problems: $0.problems, exit: exit) }
    }

    /// Starts a call in another process.
    func start(_ words: [String], output: Pipe? = nil, problems: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = ChildProgram.url("storectl")
        process.arguments = words
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ChildProgram.environment.merging(variables) { _, ours in ours }
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = problems ?? FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs a call that prints a JSON document.
    func json(_ words: String...) throws -> [String: JSONValue] { try json(words) }

    func json(_ words: [String]) throws -> [String: JSONValue] {
        let outcome = run(words + ["--json"])
        guard case .object(let members) = JSONValue(try JSONDocument(outcome.output).root) else { return [:] }
        return members
    }

    /// Writes a file into the folder.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)), as: UTF8.self)
    }
}
