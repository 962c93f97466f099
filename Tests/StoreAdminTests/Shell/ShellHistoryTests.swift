import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Which inputs the history keeps, and where.
struct ShellHistoryTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private var environment: ConfigurationEnvironment {
        ConfigurationEnvironment(variables: bench.variables, directory: bench.folder)
    }

    private var path: String { bench.folder + "/.local/state/storectl/history" }

    private func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    // MARK: Policy

    @Test func `The file is in the folder for states of programs`() {
        func path(_ variables: [String: String]) -> String? {
            HistoryPolicy.path(ConfigurationEnvironment(variables: variables, directory: "/here"))
        }
        #expect(path(["HOME": "/home/ann"]) == "/home/ann/.local/state/storectl/history")
        #expect(path(["HOME": "/home/ann", "XDG_STATE_HOME": "/states"]) == "/states/storectl/history")
        #expect(
            path(["HOME": "/home/ann", "XDG_STATE_HOME": "states"])
                == "/home/ann/.local/state/storectl/history")
        #expect(path(["HOME": "/home/ann", "STORECTL_HISTORY": "mine"]) == "/here/mine")
        #expect(path(["HOME": "/home/ann", "STORECTL_HISTORY": ""]) == nil)
        #expect(path(["HOME": "/home/ann", "STORECTL_HISTORY": "/dev/null"]) == nil)
        #expect(path([:]) == nil)
    }

    @Test(arguments: [
        "Login where password == \"hunter2\"", "Login where PASSWORD = 3", "\\sql SELECT 'x' AS token",
        "\\c postgres://app:hunter2@db/games", "\\c host=db password=hunter2", " Player",
        "Key where apiKey == \"k\"", "Player where name == \"s3cret\"", "Player", "",
        "Player where name == \"" + String(repeating: "a", count: 10_000) + "\"",
    ])
    func `Inputs with secrets, repeated and long ones are not kept`(input: String) {
        let secrets = SecretLedger()
        secrets.register("s3cret")
        #expect(!HistoryPolicy.keeps(input, after: "Player", secrets))
    }

    @Test(arguments: [
        "Player where score > 3", "Game where tokens > 3", "\\c postgres://app@db/games",
        "\\c sqlite:games.sqlite", "Link where url == \"https://example.com/a@b\"", "\\d Password",
    ])
    func `Other inputs are kept`(input: String) {
        #expect(HistoryPolicy.keeps(input, after: "Player", SecretLedger()))
    }

    // MARK: File

    @Test func `Inputs are kept between sessions, readable by their owner only`() throws {
        let first = ShellHistory(environment)
        #expect(first.inputs == [])
        try first.add("Player where (\nscore > 3\n)")
        try first.add("Game")
        try first.add("Game")
        try first.add("Login where password == \"hunter2\"")
        let second = ShellHistory(environment)
        #expect(second.inputs == ["Player where (\nscore > 3\n)", "Game"])
        #expect(try permissions(path) == 0o600)
        #expect(try permissions(bench.folder + "/.local/state/storectl") == 0o700)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("hunter2"))
    }

    @Test func `The permissions of an existing file are corrected`() throws {
        try ShellHistory(environment).add("Game")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(ShellHistory(environment).inputs == ["Game"])
        #expect(try permissions(path) == 0o600)
    }

    @Test func `Two sessions share the file`() throws {
        let (first, second) = (ShellHistory(environment), ShellHistory(environment))
        try first.add("Game")
        try second.add("Player")
        try first.add("Round")
        #expect(first.inputs == ["Game", "Round"])
        #expect(ShellHistory(environment).inputs == ["Game", "Player", "Round"])
    }

    @Test func `A long file is shortened to the newest inputs`() throws {
        let history = ShellHistory(environment)
        try history.add("first")
        let lines = (0...2 * HistoryPolicy.limit).map { "Player limit \($0)\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
        let long = ShellHistory(environment)
        #expect(long.inputs.count == HistoryPolicy.limit)
        #expect(long.inputs.last == "Player limit \(2 * HistoryPolicy.limit)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").count == HistoryPolicy.limit)
        try long.add("Game")
        #expect(long.inputs.count == HistoryPolicy.limit)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text + "Game\n")
    }

    @Test func `A file that can't be written is reported once`() throws {
        bench.variables["STORECTL_HISTORY"] = bench.folder
        let history = ShellHistory(environment)
        let error = #expect(throws: AdminError.self) { try history.add("Game") }
        #expect(error?.exit == .inputOutput)
        try history.add("Player")
        #expect(history.inputs == ["Game", "Player"])
    }

    @Test func `A device is no history`() throws {
        let before = try permissions("/dev/zero")
        let file = HistoryFile(path: "/dev/zero")
        #expect(file.load() == [])
        #expect(throws: AdminError.self) { try file.append("Game") }
        #expect(try permissions("/dev/zero") == before)
    }
}
