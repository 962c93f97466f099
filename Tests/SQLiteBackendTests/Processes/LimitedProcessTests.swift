#if SQLite
import ChildProcesses
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Row S13 of the failure matrix: a process that can open no more files, or whose files can't grow.
///
/// `STORE_OPENINGS` is the number of times that a store is opened and closed; the documentation promises 10,000.
struct LimitedProcessTests {
    private static let openings = Effort.count("STORE_OPENINGS", otherwise: 100)

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.appendingPathComponent("store.sqlite").path
    }

    private func lines(_ work: String, count: Int? = nil) throws -> [String] {
        let child = try ChildProcess(work, url: "sqlite:\(path)", name: "child", count: count)
        let lines = child.lines()
        #expect(child.wait() == 0)
        return lines
    }

    private func names() throws -> [String] {
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .seconds(5))
        defer { connection.close() }
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        let statement = try connection.statement("SELECT DISTINCT name FROM player ORDER BY _id")
        defer { statement.reset() }
        var names: [String] = []
        while try statement.step() { names.append(try statement.text(0)) }
        return names
    }

    @Test func `A store that is opened and closed many times leaves no file open`() throws {
        let counts = try lines("cycles", count: Self.openings)
        #expect(counts.count == 2 && counts.first == counts.last)
    }

    @Test func `Running out of files is reported, and the store continues when one is free`() throws {
        let lines = try lines("no-files")
        try #require(lines.count == 4, "\(lines)")
        for line in lines.prefix(2) { #expect(line.hasSuffix(": inputOutput"), "\(line)") }
        #expect(lines[2] == "read again: done")
        #expect(lines[3] == "2")
        #expect(try names() == ["before", "after"])
    }

    @Test
    func `A save that exceeds the file size limit leaves nothing, and the store continues later`() throws {
        let lines = try lines("no-room")
        try #require(lines.count == 5, "\(lines)")
        let expected = ["inputOutput", "diskFull"].map { "save: \($0)" }
        for line in lines.prefix(3) { #expect(expected.contains(line), "\(line)") }
        #expect(lines[3] == "read: done")
        #expect(lines[4] == "2")
        #expect(try names() == ["before", "after"])
    }
}
#endif
