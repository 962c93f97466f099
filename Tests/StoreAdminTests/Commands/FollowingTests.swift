import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `history tail`, `history prune`, `shell` and `advise`.
struct FollowingTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    // MARK: History

    @Test(arguments: TestPlace.available)
    func `Tail prints the saves after a save`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let all = bench.run("history", "list", "-o", "jsonl").output
        let count = all.split(separator: "\n").count
        let tail = bench.run("history", "tail", "--after", "0", "-n", "\(count)", "-o", "jsonl")
        #expect(tail.exit == .success)
        #expect(tail.output == all)
        let csv = bench.run("history", "tail", "--after", "0", "-n", "\(count)", "-o", "csv").output
        #expect(csv == bench.run("history", "list", "-o", "csv").output)
        let text = bench.run("history", "tail", "--after", "0", "-n", "1").output
        #expect(text.contains("inserted: Game"))
        let process = ProcessInfo.processInfo
        #expect(text.contains("\(process.processName) \(process.processIdentifier))"), "\(text)")
        #expect(bench.run("history", "tail", "--timeout", "10ms").output == "")
        #expect(bench.run("history", "tail", "--after", "99").exit == .inputMissing)
        #expect(bench.run("history", "tail", "-o", "json").exit == .usage)
    }

    @Test(arguments: TestPlace.available)
    func `Prune removes history, but no objects`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let before = bench.run("data", "checksum").output
        let count = bench.run("history", "list", "-o", "jsonl").output.split(separator: "\n").count
        #expect(bench.run("history", "prune").exit == .usage)
        #expect(
            bench.run("history", "prune", "--keep", "1", "--before", "2026-01-01T00:00:00Z").exit == .usage)
        #expect(bench.run("history", "prune", "--before", "yesterday").exit == .usage)
        let none = bench.run("history", "prune", "--before", "2000-01-01T00:00:00Z")
        #expect(none.output == "0 saves removed, \(count) kept\n")
        let json = try bench.json("history", "prune", "--keep", "1")
        #expect(json["forgotten"] == .int(count - 1))
        #expect(json["kept"] == .int(1))
        #expect(bench.run("history", "list", "-o", "jsonl").output.split(separator: "\n").count == 1)
        #expect(bench.run("history", "list", "--after", "0").exit == .inputMissing)
        #expect(bench.run("data", "checksum").output == before)
    }

    // MARK: Shell

    @Test(arguments: TestPlace.available)
    func `The shell executes line by line`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        bench.lines = [
            "Game where title == \"Go\"", "", "\\count Player", "\\d Round", "\\sql SELECT 1 AS one", "\\q",
            "Game",
        ]
        let outcome = bench.run("shell", "-o", "csv")
        #expect(outcome.exit == .success)
        #expect(
            outcome.output.hasPrefix(
                "id,price,startedAt,title\r\n1,12.5,2026-08-01T12:00:00.250000Z,Go\r\n3\n"))
        #expect(outcome.output.contains("number,int16"))
        #expect(outcome.output.hasSuffix("one\r\n1\r\n"))
        #expect(outcome.problems == "")
    }

    @Test func `An invalid line is reported, and the others continue`() throws {
        _ = try bench.makeShop()
        bench.lines = [
            "Gme", "\\y", "\\count", "\\sql DELETE FROM sample", "\\count Sample",
        ]
        let outcome = bench.run("shell")
        #expect(outcome.output == "2\n")
        #expect(outcome.exit == .usage)
        #expect(outcome.problems.contains("Did you mean Game?"))
        #expect(outcome.problems.contains("there is no command \\y."))
        #expect(outcome.problems.contains("REQUEST is missing"))
        #expect(outcome.problems.count { $0 == "\n" } == 8)
        // At a terminal, the user has seen the errors, so the shell succeeds.
        bench.isTerminal = true
        let terminal = bench.run("shell")
        #expect(terminal.exit == .success)
        let prompt = "\(try #require(bench.variables["STORECTL_URL"]).dropFirst("sqlite:".count))=> "
        #expect(terminal.problems.hasPrefix("sqlite:"))
        #expect(terminal.problems.contains(" requests.\n\(prompt)storectl: error"), "\(terminal.problems)")
        #expect(bench.run("shell", "-s", "sqlite:none").exit == .inputMissing)
    }

    @Test func `The shell writes to a file, and has timings and help`() throws {
        _ = try bench.makeShop()
        bench.lines = [
            "\\o out.txt", "\\count Game", "\\o", "\\?", "\\timing", "\\count Game", "\\o out.txt",
            "\\count Game",
        ]
        let outcome = bench.run("shell")
        #expect(try bench.read("out.txt") == "2\n")
        for word in ShellWord.allCases { #expect(outcome.output.contains("\n\\\(word.rawValue)")) }
        #expect(outcome.output.hasSuffix("\n2\n2\n"))
        #expect(outcome.problems.hasPrefix("timing is on\n"))
        #expect(outcome.exit == .cannotCreate)
    }

    // MARK: Advice

    @Test(arguments: TestPlace.available)
    func `Advise lists the entities and properties of a request`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        func rows(_ request: String) throws -> String {
            try bench.json("advise", request)["rows"]?.text ?? ""
        }
        #expect(
            try rows("Player where name == \"Ann\" and score > 3")
                == #"[{"entity":"Player","exists":false,"for":"equal values","index":"name, score"}]"#
        )
        #expect(
            try rows("Player where score > 3")
                == #"[{"entity":"Player","exists":false,"for":"range of values","index":"score"}]"#)
        #expect(
            try rows("Game order by startedAt")
                == #"[{"entity":"Game","exists":false,"for":"sort order","index":"startedAt"}]"#)
        #expect(try rows("Game where title == \"Go\"").contains(#""exists":true"#))
        #expect(try rows("Player where game.title == \"Go\"").contains(#""entity":"Game","exists":true"#))
        #expect(try rows("Player where name contains \"n\"") == "[]")
        let text = bench.run("advise", "Sample where label == \"all\"")
        #expect(text.exit == .success)
        #expect(text.output.contains("Sample  label  equal values"))
        #expect(text.output.contains(place == .sqlite ? "SCAN" : "Scan"))
        #expect(bench.run("advise", "Gme").exit == .usage)
    }
}
