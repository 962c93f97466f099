import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `history list` of one object, and reading the history from its end.
struct ObjectHistoryTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private func saves(_ words: String...) throws -> [JSONValue] {
        try bench.json(["history", "list"] + words)["rows"]?.elements ?? []
    }

    @Test(arguments: TestPlace.available)
    func `The saves of an object are listed`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let all = try saves()
        let one = try saves("--object", "Player:2")
        #expect(!one.isEmpty && one.count < all.count)
        #expect(one.allSatisfy { $0["entities"].stringValues == ["Player"] })
        #expect(one.allSatisfy { all.map { $0["save"] }.contains($0["save"]) })
        #expect(
            one.map { ($0["inserted"].intValue ?? 0) + ($0["updated"].intValue ?? 0) }.allSatisfy { $0 == 1 })
        // A superentity names the object too; another entity doesn't.
        #expect(try saves("--object", "Person:2").map(\.text) == one.map(\.text))
        #expect(try saves("--object", "Referee:2").isEmpty)
        #expect(try saves("--object", "Player:2", "--entity", "Game").isEmpty)
        #expect(try saves("--object", "Player:99").isEmpty)
        #expect(try saves("--object", "Player:2", "-n", "1").map(\.text) == one.suffix(1).map(\.text))
        #expect(
            try saves("--object", "Player:2", "--since", "2026-01-01T00:00:00Z").map(\.text)
                == one.map(\.text))
        #expect(bench.run("history", "list", "--object", "Player").exit == .usage)
        #expect(bench.run("history", "list", "--object", "Plyer:1").problems.contains("Did you mean Player?"))
    }

    @Test(arguments: TestPlace.available)
    func `The saves of a process are listed, by its name or its identifier`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let all = try saves()
        try bench.write("title\nMill\n", to: "rows.csv")
        let other = try bench.start(["data", "import", "rows.csv", "--entity", "Game"])
        other.waitUntilExit()
        try #require(other.terminationStatus == 0)
        let last = try #require(try saves("-n", "1").first)
        #expect(last["pid"] == .int(Int(other.processIdentifier)))
        let name = try #require(last["process"].stringValue)
        let own = ProcessInfo.processInfo
        #expect(name != own.processName)
        for process in [name, "\(other.processIdentifier)"] {
            #expect(try saves("--process", process).map(\.text) == [last.text], "\(process)")
            #expect(
                try saves("--process", process, "--since", "2026-01-01T00:00:00Z").map(\.text) == [last.text])
            #expect(try saves("--process", process, "--entity", "Game").map(\.text) == [last.text])
            #expect(try saves("--process", process, "--entity", "Round").isEmpty)
        }
        for process in [own.processName, "\(own.processIdentifier)"] {
            #expect(try saves("--process", process).map(\.text) == all.map(\.text), "\(process)")
        }
        #expect(try saves("--process", "none").isEmpty)
        #expect(try saves("--process", name, "--author", "unknown").isEmpty)
    }

    /// Reads the history in steps of every size, from both ends.
    @Test(arguments: TestPlace.available)
    func `The newest saves are the same in steps of any size, also after pruning`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        for number in 1...5 {
            try bench.write("title,note\nGame \(number),\n", to: "rows.csv")
            let outcome = bench.run("data", "import", "rows.csv", "--entity", "Game", "--map", "note=")
            #expect(outcome.exit == .success, "\(outcome.problems)")
        }
        for isPruned in [false, true] {
            if isPruned { #expect(bench.run("history", "prune", "--keep", "4").exit == .success) }
            try bench.tool.store(nil, config: nil).read("test") { session, model in
                let games = try #require(model.layout(named: "Game")).familyIndices
                let whole = try session.history(HistoryRequest())
                #expect(whole.count == 4 || !isPruned)
                let since = HistoryRequest(since: .distantPast)
                let ofGames = HistoryRequest(entityIndices: Set(games))
                for step in 1...9 {
                    for limit in [0, 1, 3, 100] {
                        for (request, wanted) in [
                            (HistoryRequest(), whole), (since, whole),
                            (ofGames, try session.history(ofGames)),
                        ] {
                            let search = HistorySearch(session: session, request: request, step: step)
                            let found = try search.newest(limit)
                            #expect(
                                found.map(\.token) == wanted.suffix(limit).map(\.token),
                                "steps of \(step), limit \(limit)")
                            #expect(found.map(\.changes) == wanted.suffix(limit).map(\.changes))
                        }
                    }
                    let after = try #require(whole.dropFirst().first).token
                    let rest = HistorySearch(
                        session: session, request: HistoryRequest(after: after), step: step)
                    #expect(try rest.newest(100).map(\.token) == whole.dropFirst(2).map(\.token))
                }
            }
        }
        #expect(bench.run("history", "list", "--after", "1").exit == .inputMissing, "It was pruned.")
    }
}
