import ChildProcesses
import Foundation
import Testing

/// A running `storectl studio` on a store of its own; it ends, and its folder is deleted, with this object.
final class StudioProcess {
    /// The storectl to test, which is built with the trait Studio; nil if the environment names none.
    static let executable = ProcessInfo.processInfo.environment["STORE_TEST_STUDIO"]
    static let reason: Comment = "STORE_TEST_STUDIO names no storectl; run scripts/check-studio.sh"

    let folder: String
    /// The address of the store.
    let url: String
    /// The address that opens the page.
    let address: String
    let port: Int
    /// The random path of the page, from slash to slash.
    let path: String
    /// The token in the address.
    let token: String
    private let process: Process
    private let problems: Pipe

    /// Creates the store from an export, starts the studio, and waits until it has printed its address.
    ///
    /// Its folder has the given files, by their names, and a frozen model if one is given.
    init(
        _ options: [String] = [], url: String = StudioStore.url, export: String = StudioStore.export(),
        model: String? = nil, files: [String: String] = [:]
    ) throws {
        self.url = url
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files.merging(["store.jsonl": export], uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
        }
        try Self.run(["data", "import", "store.jsonl"], on: url, in: folder)
        if let model {
            try Data(model.utf8).write(to: URL(filePath: folder + "/model.json"))
            try Self.run(["model", "freeze", "V1", "--model", "model.json"], on: url, in: folder)
        }
        let output = Pipe()
        problems = Pipe()
        process = try Self.process(["studio"] + options, on: url, in: folder)
        process.standardOutput = output
        process.standardError = problems
        try process.run()
        var lines = LineReader(output.fileHandleForReading)
        guard let line = lines.line(), let url = URL(string: line), let port = url.port else {
            let text = String(decoding: problems.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            throw StartError(text: text)
        }
        address = line
        self.port = port
        token = String(line.split(separator: "=").last ?? "")
        path = Self.open(token, port).header("Location") ?? ""
    }

    struct StartError: Error {
        let text: String
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    var isRunning: Bool { process.isRunning }
    /// The cookie of a browser that has opened the address.
    var cookie: String { "storectl-studio-\(port)=\(token)" }
    var host: String { "127.0.0.1:\(port)" }

    /// Opens the address as a browser does; the response redirects to the page.
    private static func open(_ token: String, _ port: Int) -> RawResponse {
        guard let client = RawClient(port: port) else { return RawResponse("") }
        client.send(
            "GET /?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
        return RawResponse(client.receiveAll())
    }

    /// Sends a signal and waits for the end; returns the exit status.
    func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Returns what the store contains, and its history: both are the same as long as nothing has changed it.
    func contents() throws -> String {
        try ["data checksum", "history list -n 1000"].map { words in
            try run(words.split(separator: " ").map(String.init))
        }.joined()
    }

    /// Runs a command on the store in another process, and returns its output.
    @discardableResult
    func run(_ words: [String]) throws -> String { try Self.run(words, on: url, in: folder) }

    /// Starts a command on the store, and doesn't wait for its end.
    ///
    /// - Parameter name: The name that the program has in the history and in lists of processes.
    func start(_ words: [String], as name: String) throws -> Process {
        let program = URL(filePath: folder).appending(path: name)
        if !FileManager.default.fileExists(atPath: program.path) {
            let original = URL(filePath: try #require(Self.executable)).resolvingSymlinksInPath()
            do {
                try FileManager.default.linkItem(at: original, to: program)
            } catch {
                // The folder is on another file system.
                try FileManager.default.copyItem(at: original, to: program)
            }
        }
        let process = try Self.process(words, on: url, in: folder)
        process.executableURL = program
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// The size of the process in memory, in kilobytes; nil where the system doesn't report it.
    var residentSize: Int? {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// Runs a command to its end, and returns its output.
    @discardableResult
    static func run(_ words: [String], on url: String, in folder: String) throws -> String {
        let process = try process(words, on: url, in: folder)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(words): \(process.terminationStatus)")
        return text
    }

    /// Makes the process of a command, with the store in its environment: storectl refuses passwords on the command line.
    private static func process(_ words: [String], on url: String, in folder: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try #require(executable))
        process.arguments = words
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ChildProgram.environment.merging(["HOME": folder, "STORECTL_URL": url]) {
            _, ours in ours
        }
        return process
    }
}
