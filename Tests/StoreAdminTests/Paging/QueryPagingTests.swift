import ContextCore
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Pages of `query`, on every backend.
struct QueryPagingTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// The rows of an object list as texts.
    private func texts(_ rows: [JSONValue]) -> [String] { rows.map(\.text) }

    @Test(arguments: TestPlace.available)
    func `The pages in any order are the whole result, forward and backward`(place: TestPlace) throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        try bench.makePlayers(place, count: 40, &random)
        for round in 0..<14 {
            let order = round == 0 ? nil : PagingModel.randomOrder(&random)
            var words = ["query", round.isMultiple(of: 3) ? "Person" : "Player"]
            if words[1] == "Person" {
                words += ["--order", ["name", "name[c] desc"].randomElement(using: &random) ?? ""]
            } else if let order {
                words += ["--order", order]
            }
            if Bool.random(using: &random) { words += ["--where", "name != \"a\""] }
            if Bool.random(using: &random) { words += ["-f", "name"] }
            let comment = "seed \(seed): \(words)"
            let whole = try bench.json(words)
            let rows = try #require(whole["rows"]?.elements, "\(comment)")
            #expect(whole["next"] == .null && whole["previous"] == .null)
            let size = Int.random(in: 2...17, using: &random)
            let paged = words + ["--limit", "\(size)"]
            let forward = try bench.pages(paged, by: "next")
            #expect(texts(forward.flatMap(\.self)) == texts(rows), "\(comment), pages of \(size)")
            #expect(forward.dropLast().allSatisfy { $0.count == size }, "\(comment), pages of \(size)")

            // The last page is small enough; its `previous` leads back to the first one.
            let start = try bench.json(paged)
            guard var cursor = start["next"]?.stringValue else { continue }
            while let next = try bench.json(paged + ["--after", cursor])["next"]?.stringValue {
                cursor = next
            }
            let backward = try bench.pages(paged, from: ["--after", cursor], by: "previous")
            #expect(texts(backward.reversed().flatMap(\.self)) == texts(rows), "\(comment), pages of \(size)")
            #expect(backward.count == forward.count, "\(comment), pages of \(size)")
        }
    }

    @Test(arguments: TestPlace.available)
    func `A page starts at a deleted row, and skips none`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let words = ["query", "Sample order by label", "--limit", "1"]
        let first = try bench.json(words)
        let cursor = try #require(first["next"]?.stringValue)
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id = 1").exit == .success)
        let second = try bench.json(words + ["--after", cursor])
        #expect(second["rows"]?.elements?.first?["label"] == .string("none"))
        #expect(second["next"] == .null)
        let back = try #require(second["previous"]?.stringValue)
        let none = try bench.json(words + ["--before", back])
        #expect(none["rows"] == .array([]) && none["previous"] == .null)
        #expect(none["next"]?.stringValue != nil)
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id = 2").exit == .success)
        let empty = try bench.json(words + ["--after", cursor])
        #expect(empty["rows"] == .array([]) && empty["next"] == .null && empty["previous"] == .string(cursor))
    }

    @Test(arguments: TestPlace.available)
    func `A cursor of another request, or a changed one, is refused`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let page = try bench.json("query", "Player where score > -10 order by name", "-n", "1")
        let cursor = try #require(page["next"]?.stringValue)
        let same = ["query", "Player", "--order", "name", "--where", "score>-10", "--after", cursor]
        #expect(bench.run(same).exit == .success, "Only the spelling differs.")
        for words in [
            ["query", "Person where score > -10 order by name"], ["query", "Player order by name"],
            ["query", "Player where score > -10 order by name desc"], ["query", "Player where score > -10"],
            ["related", "Game:1", "players"],
        ] {
            let outcome = bench.run(words + ["--after", cursor])
            #expect(outcome.exit == .usage && outcome.output.isEmpty, "\(words)")
            if words[1] == "Person where score > -10 order by name" { continue }
            #expect(
                outcome.problems.contains("the cursor of --after comes from another request."),
                "\(outcome.problems)")
        }
        let changed = "\(cursor.dropLast(4))AAAA"
        for text in ["", "x", "eyJ9", changed, "{}"] {
            let outcome = bench.run(
                "query", "Player where score > -10 order by name", "--before", text)
            #expect(outcome.exit == .usage, "“\(text)”: \(outcome.output)")
            #expect(outcome.problems.contains("the value of --before is no cursor."), "\(outcome.problems)")
        }
        let both = bench.run(same + ["--before", cursor])
        #expect(both.problems.contains("--after and --before can't be combined."), "\(both.problems)")
        let offset = bench.run(same + ["--offset", "1"])
        #expect(offset.problems.contains("an offset can't be combined with --after."), "\(offset.problems)")
    }

    @Test(arguments: TestPlace.available)
    func `A result without positions has no cursors`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let timed = try bench.json("query", "Game order by startedAt - now()", "-n", "1")
        #expect(timed["next"] == .null && timed["rows"]?.elements?.count == 1)
        let whole = try bench.json("query", "Player")
        #expect(whole["next"] == .null)
        let skipping = try bench.json("query", "Player order by score", "-n", "1", "--offset", "1")
        let back = try #require(skipping["previous"]?.stringValue)
        let first = try bench.json("query", "Player order by score", "-n", "1", "--before", back)
        #expect(first["rows"]?.elements?.first?["score"] == .int(-3) && first["previous"] == .null)
        #expect(try bench.json("query", "Player", "-n", "0")["next"] == .null)
    }

    @Test func `A table that continues says how to go on`() throws {
        _ = try bench.makeShop()
        let cursor = try #require(try bench.json("query", "Person", "-n", "1")["next"]?.stringValue)
        let table = bench.run("query", "Person", "-n", "1", "--after", cursor).output
        #expect(table.contains("Bob") && table.hasSuffix(" shows more.\n") && table.contains("--after "))
        let last = bench.run("query", "Person", "-n", "9", "--after", cursor).output
        #expect(!last.contains("--after"))
        #expect(bench.run("query", "Person", "-n", "1").output.hasSuffix("--after \(cursor) shows more.\n"))
    }

    /// The steps of the database for a page after an object, in the order of the keys and in that of an index.
    private func steps(_ words: [String]) throws -> [String] {
        try bench.tool.store(nil, config: nil).read("test") {
            session, model in
            let arguments = try ArgumentParser.parse(words, for: QueryCommand().declaration)
            let request = try ObjectRequest(
                arguments.operands[0], arguments, session: session, model: model)
            let positions = try request.positions(of: [13], session)
            let bound = KeysetBound.after(try #require(positions.first))
            let session = try #require(session as? any ExplainingSession)
            var plans = [request.plan, request.plan.bounded(by: bound)]
            for index in plans.indices { plans[index].limit = 51 }
            return try plans.flatMap { try session.explain($0).steps }
        }
    }

    @Test(arguments: TestPlace.available)
    func `A page uses the primary key or an index, and sorts no table`(place: TestPlace) throws {
        var random = SeededRandom(seed: 1)
        try bench.makePlayers(place, count: 4000, &random)
        #expect(bench.run("maintain", "analyze").exit == .success)
        let byKey = try steps(["Person"]).joined(separator: "\n")
        switch place {
        case .sqlite:
            #expect(byKey.contains("USING INTEGER PRIMARY KEY (rowid>?)"), "\(byKey)")
            #expect(!byKey.contains("TEMP B-TREE"), "\(byKey)")
            let byName = try steps(["Person order by name"]).joined(separator: "\n")
            #expect(byName.contains("SEARCH t0 USING INDEX person_name (name>?)"), "\(byName)")
            #expect(!byName.contains("TEMP B-TREE"), "\(byName)")
        case .postgres:
            #expect(byKey.contains("Index Scan using person_pkey"), "\(byKey)")
            #expect(!byKey.contains("Sort") && !byKey.contains("Seq Scan"), "\(byKey)")
        }
    }
}
