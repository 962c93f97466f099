import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// `data sample`.
struct SampleTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Configures three stores, whose addresses are in environment variables.
    private func name(_ a: String, _ b: String, _ c: String = "sqlite:c.sqlite") throws {
        bench.variables["STORECTL_URL"] = nil
        for (name, url) in [("A", a), ("B", b), ("C", c)] { bench.variables[name] = url }
        let stores = ["a", "b", "c"].map { #""\#($0)": {"url": {"env": "\#($0.uppercased())"}}"# }
        try bench.write(
            #"{"default": "a", "stores": {\#(stores.joined(separator: ", "))}}"#, to: "storectl.json")
    }

    /// Creates a store of many people with relationships to each other, and returns its address.
    private func makeCrowd(_ place: TestPlace) throws -> String {
        let url = place.freshURL()
        var lines = [String(ShopExport.text.split(separator: "\n")[0])]
        lines += (1...20).map { #"{"entity":"Game","id":\#($0),"values":{"title":"\#($0)"}}"# }
        lines += (1...200).map { number in
            let mentor = number == 1 ? "" : #","mentor":\#(number / 2)"#
            let to =
                #""favourites":[\#(number % 20 + 1),\#((number + 7) % 20 + 1)],"game":\#(number % 20 + 1)"#
            return
                #"{"entity":"Player","id":\#(number),"to":{\#(to)\#(mentor)},"values":{"name":"\#(number)","score":\#(number)}}"#
        }
        try bench.write(lines.joined(separator: "\n"), to: "crowd.jsonl")
        bench.variables["STORECTL_URL"] = url
        let outcome = bench.run("data", "import", "crowd.jsonl")
        try #require(outcome.exit == .success, "\(outcome.problems)")
        return url
    }

    private func keys(_ store: String, _ entity: String = "Player") -> [String] {
        bench.run("query", entity, "-s", store, "-o", "csv").output.split(separator: "\r\n")
            .dropFirst().map { String($0.prefix { $0 != "," }) }.sorted()
    }

    @Test(arguments: TestPlace.available.flatMap { from in TestPlace.available.map { (from, $0) } })
    func `A sample is consistent, and smaller`(from: TestPlace, to: TestPlace) throws {
        try name(try makeCrowd(from), to.freshURL())
        let outcome = bench.run("data", "sample", "a", "b", "-n", "5", "--entity", "Player")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("selected with seed 1; the sample is consistent.\n"))
        let people = Int(bench.run("count", "Player", "-s", "b").output.filter(\.isNumber)) ?? 0
        #expect((5..<60).contains(people))
        #expect(bench.run("check", "-s", "b").output == "no problems found\n")
        #expect(bench.run("drift", "-s", "b", "--check").exit == .success)
        // The copied objects are equal, except for relationships to objects outside of the sample.
        let one = bench.run("query", "Player order by name limit 1", "-s", "b", "-o", "csv").output
        let name = String(
            one.split(separator: "\r\n")[1].split(separator: ",", omittingEmptySubsequences: false)[2])
        #expect(bench.run("query", "Player where name = \"\(name)\"", "-o", "csv").output == one)
        #expect(bench.run("data", "sample", "a", "b").exit == .refused)
        #expect(bench.run("data", "sample", "a", "a").exit == .usage)
        #expect(bench.run("data", "sample", "a", "b", "-n", "0").exit == .usage)
        #expect(bench.run("data", "sample", "a", "b", "--entity", "Gme").exit == .usage)
    }

    @Test(arguments: TestPlace.available)
    func `A seed selects the same objects on every backend`(place: TestPlace) throws {
        try name(try makeCrowd(.sqlite), place.freshURL())
        #expect(bench.run("data", "copy", "a", "b").exit == .success)
        func digest(_ source: String, _ seed: String) -> String {
            let path = "sqlite:\(UUID().uuidString).sqlite"
            let outcome = bench.run("data", "sample", source, path, "-n", "3", "--seed", seed)
            #expect(outcome.exit == .success, "\(outcome.problems)")
            return bench.run("data", "checksum", "-s", path).output
        }
        #expect(digest("a", "1") == digest("b", "1"))
        #expect(digest("a", "1") != digest("a", "2"))
    }

    @Test(arguments: TestPlace.available)
    func `A sample of everything is a copy`(place: TestPlace) throws {
        try name(try bench.makeShop(), place.freshURL())
        let json = try bench.json("data", "sample", "a", "b")
        #expect(json["objects"] == .int(10) && json["findings"] == .array([]))
        #expect(bench.run("data", "verify", "a", "b").exit == .success)
        #expect(bench.run("doctor", "-s", "b").exit == .success)
    }

    @Test func `Links to objects outside of the sample are omitted`() throws {
        try name(try bench.makeShop(), "sqlite:b.sqlite")
        // Only the game of the rounds is copied, without its fans.
        #expect(bench.run("data", "sample", "a", "b", "--entity", "Round").exit == .success)
        #expect(keys("b", "Round") == ["1", "2"] && keys("b", "Game") == ["1"])
        #expect(
            bench.run("get", "Game:1", "-s", "b").output.contains(
                "rounds     to many         2: Round:2, Round:1"))
        #expect(bench.run("get", "Game:1", "-s", "b").output.contains("fans       to many         none\n"))
    }

    @Test func `Members that a relationship requires are included`() throws {
        let model = """
            {"entities":{"Band":{"attributes":{"name":{"type":"string"}},\
            "relationships":{"members":{"inverse":"band","minimumCount":2,"to":"Member","toMany":true}}},\
            "Member":{"attributes":{"name":{"type":"string"}},\
            "relationships":{"band":{"inverse":"members","to":"Band"}}}},"format":1}
            """
        var lines = [#"{"model":\#(model),"schema":"storectl.export/1"}"#]
        lines += [1, 2].map { #"{"entity":"Band","id":\#($0),"values":{"name":"\#($0)"}}"# }
        lines += (1...8).map {
            #"{"entity":"Member","id":\#($0),"to":{"band":\#(1 + $0 % 2)},"values":{"name":"\#($0)"}}"#
        }
        try bench.write(lines.joined(separator: "\n"), to: "bands.jsonl")
        let imported = bench.run("data", "import", "bands.jsonl", "-s", "sqlite:a.sqlite")
        try #require(imported.exit == .success, "\(imported.problems)")
        let outcome = bench.run(
            "data", "sample", "sqlite:a.sqlite", "sqlite:b.sqlite", "--entity", "Band", "-n", "1")
        #expect(outcome.exit == .success, "\(outcome.output)\(outcome.problems)")
        #expect(keys("sqlite:b.sqlite", "Member").count == 2)
    }

    @Test func `A sample of a damaged store is reported`() throws {
        try name(try bench.makeShop(), "sqlite:b.sqlite")
        #expect(bench.run("sql", "--write", "UPDATE game SET title = '' WHERE _id = 1").exit == .success)
        let outcome = bench.run("data", "sample", "a", "b")
        #expect(outcome.exit == .differences, "\(outcome.problems)")
        #expect(outcome.output.contains("sample violates its model.") && outcome.output.contains("Game:1"))
    }
}
