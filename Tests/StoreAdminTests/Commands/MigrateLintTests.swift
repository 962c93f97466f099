import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Findings of `migrate lint` that ``MigrateTests`` doesn't cover.
struct MigrateLintTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Freezes models in turn, as V1, V2 and so on.
    private func freeze(_ models: [String]) throws {
        for (index, model) in models.enumerated() {
            try bench.freeze("V\(index + 1)", model, after: index == 0 ? nil : "V\(index)")
        }
    }

    /// Returns the findings, as `severity rule subject backend`.
    ///
    /// - Parameter rules: The rules to check.
    private func found(_ words: String..., rules: String...) throws -> [String] {
        let outcome = bench.run(["migrate", "lint", "-o", "csv"] + words)
        try #require([.success, .differences].contains(outcome.exit), "\(outcome.problems)")
        return outcome.output.split(separator: "\r\n").dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).prefix(4)
        }.filter { rules.contains(String($0[1])) }.map { $0.joined(separator: " ") }
    }

    /// Creates a store of V1 with objects, and one without.
    private func makeStores(_ place: TestPlace) throws {
        bench.variables["FULL"] = try bench.makeShop(place)
        bench.variables["EMPTY"] = place.freshURL()
        bench.variables["STORECTL_URL"] = nil
        try bench.write(
            #"{"stores": {"full": {"url": {"env": "FULL"}}, "empty": {"url": {"env": "EMPTY"}}}}"#,
            to: "storectl.json")
        let made = bench.run("db", "create", "--model", "V1.json", "-s", "empty")
        try #require(made.exit == .success, "\(made.problems)")
    }

    @Test(arguments: TestPlace.available)
    func `Objects with missing required values are found in a store`(_ place: TestPlace) throws {
        try freeze([
            ShopExport.model,
            ShopExport.model.replacing(
                #""label":{"type""#, with: #""more":{"type":"string"},"label":{"type""#),
        ])
        try makeStores(place)
        let backend = place == .sqlite ? "SQLite" : "PostgreSQL"
        let rule = "required-on-populated"
        #expect(try found("-s", "full", rules: rule) == ["error \(rule) Sample.more \(backend)"])
        #expect(try found("-s", "empty", rules: rule) == [])
        #expect(try found(rules: rule) == [])
        #expect(
            try found(rules: "required-without-default")
                == ["warning required-without-default Sample.more "])
        #expect(
            try found(rules: "table-rewrite") == ["warning table-rewrite sample SQLite"])
        #expect(bench.run("migrate", "lint", "-s", "full").exit == .differences)
        #expect(
            bench.run("migrate", "lint", "-s", "full").output.contains("2 objects of Sample have no more"))
    }

    @Test(arguments: TestPlace.available)
    func `Duplicates of unique values are found in a store`(_ place: TestPlace) throws {
        try freeze([
            ShopExport.model,
            ShopExport.model.replacing(
                #""single":{"optional":true,"type":"float"}}}"#,
                with: #""single":{"optional":true,"type":"float"}},"unique":[["label"]]}"#),
        ])
        try makeStores(place)
        let rule = "unique-on-duplicates"
        let error = "error \(rule) Sample \(place == .sqlite ? "SQLite" : "PostgreSQL")"
        let warning = "warning \(rule) Sample "
        #expect(try found("-s", "full", rules: rule) == [warning])
        #expect(bench.run("sql", "--write", "UPDATE sample SET label = 'a'", "-s", "full").exit == .success)
        #expect(try found("-s", "full", rules: rule) == [error, warning])
        #expect(try found("-s", "empty", rules: rule) == [warning])
        #expect(
            try found(rules: "index-not-concurrent") == ["warning index-not-concurrent sample PostgreSQL"])
    }

    /// Creates a store of a model with objects, under the name `full`.
    private func makeStore(_ place: TestPlace, _ model: String, _ objects: String) throws {
        bench.variables["FULL"] = place.freshURL()
        try bench.write(#"{"stores": {"full": {"url": {"env": "FULL"}}}}"#, to: "storectl.json")
        try bench.write(
            "{\"model\":\(model),\"schema\":\"storectl.export/1\"}\n\(objects)\n", to: "full.jsonl")
        let made = bench.run("data", "import", "full.jsonl", "-s", "full")
        try #require(made.exit == .success, "\(made.problems)")
    }

    private func execute(_ statement: String) throws {
        let outcome = bench.run("sql", "--write", statement, "-s", "full")
        try #require(outcome.exit == .success, "\(outcome.problems)")
    }

    @Test(arguments: TestPlace.available)
    func `Several references to an object that gets a to-one inverse are found in a store`(
        _ place: TestPlace
    ) throws {
        func model(_ back: String, _ inverse: String) -> String {
            """
            {"entities":{"Item":{"attributes":{"name":{"type":"string"}}\(back)},\
            "List":{"attributes":{"name":{"type":"string"}},\
            "relationships":{"item":{\(inverse)"optional":true,"to":"Item"}}}},"format":1}
            """
        }
        let back = #","relationships":{"list":{"inverse":"item","optional":true,"to":"List"}}"#
        try freeze([model("", ""), model(back, #""inverse":"list","#)])
        try makeStore(
            place, model("", ""),
            """
            {"entity":"Item","id":1,"values":{"name":"a"}}
            {"entity":"List","id":1,"to":{"item":1},"values":{"name":"b"}}
            {"entity":"List","id":2,"to":{"item":1},"values":{"name":"c"}}
            """)
        let rule = "inverse-narrowing"
        let backend = place == .sqlite ? "SQLite" : "PostgreSQL"
        #expect(try found("-s", "full", rules: rule) == ["error \(rule) List.item \(backend)"])
        #expect(try found(rules: rule) == [])
        try execute("UPDATE list SET item_id = NULL WHERE _id = 2")
        #expect(try found("-s", "full", rules: rule) == [])
    }

    @Test(arguments: TestPlace.available)
    func `Required references that would be lost are found in a store`(_ place: TestPlace) throws {
        func model(booksAre superentity: String) -> String {
            """
            {"entities":{"Book":{"superentity":"\(superentity)"},\
            "Category":{"attributes":{"name":{"type":"string"}},"relationships":{"best":{"to":"Product"}}},\
            "Item":{"attributes":{"name":{"type":"string"}}},"Product":{"superentity":"Item"}},"format":1}
            """
        }
        try freeze([model(booksAre: "Product"), model(booksAre: "Item")])
        try makeStore(
            place, model(booksAre: "Product"),
            """
            {"entity":"Book","id":1,"values":{"name":"a"}}
            {"entity":"Product","id":2,"values":{"name":"b"}}
            {"entity":"Category","id":1,"to":{"best":1},"values":{"name":"c"}}
            """)
        let rule = "required-reference-lost"
        let error = "error \(rule) Category.best \(place == .sqlite ? "SQLite" : "PostgreSQL")"
        let warning = "warning \(rule) Category.best "
        #expect(try found("-s", "full", rules: rule) == [error, warning])
        #expect(bench.run("migrate", "lint", "-s", "full").exit == .differences)
        try execute("UPDATE category SET best_id = 2")
        #expect(try found("-s", "full", rules: rule) == [warning])
    }

    @Test(arguments: TestPlace.available)
    func `Values that a conversion can't convert are found in a store`(_ place: TestPlace) throws {
        func model(_ price: String) -> String {
            #"{"entities":{"Bill":{"attributes":{"cents":{"type":"int64"}\#(price)}}},"format":1}"#
        }
        try bench.freeze("V1", model(""))
        try bench.write(model(#","price":{"precision":12,"scale":2,"type":"decimal"}"#), to: "V2.json")
        #expect(bench.run("model", "freeze", "V2", "--model", "V2.json").exit == .success)
        let new = bench.run("migrate", "new", "V1", "V2", "--convert", "Bill.price=cents / 1000")
        try #require(new.exit == .success, "\(new.problems)")
        try makeStore(place, model(""), #"{"entity":"Bill","id":1,"values":{"cents":5}}"#)
        let rule = "rows-in-the-way"
        let backend = place == .sqlite ? "SQLite" : "PostgreSQL"
        #expect(try found("-s", "full", rules: rule) == ["error \(rule) Bill.price \(backend)"])
        try execute("UPDATE bill SET cents = 5000")
        #expect(try found("-s", "full", rules: rule) == [])
    }

    @Test func `Findings are reported for each backend`() throws {
        try freeze([
            ShopExport.model,
            ShopExport.model.replacing(
                #""label":{"type""#, with: #""more":{"generated":"uuid","type":"uuid"},"label":{"type""#),
        ])
        #expect(
            try found(rules: "volatile-default", "table-rewrite") == [
                "warning volatile-default Sample.more ", "warning table-rewrite sample SQLite",
                "warning table-rewrite sample PostgreSQL",
            ])
        #expect(try found(rules: "long-lock").contains("warning long-lock sample PostgreSQL"))
    }

    @Test func `Features that a backend doesn't support are found in the first version too`() throws {
        func model(_ count: Int) -> String {
            let names = (0..<count).map { "a\($0)" }
            let attributes = names.map { "\"\($0)\":{\"type\":\"bool\"}" }.joined(separator: ",")
            let index = names.map { "\"\($0)\"" }.joined(separator: ",")
            return
                "{\"entities\":{\"G\":{\"attributes\":{\(attributes)},\"indexes\":[{\"properties\":[\(index)]}]}},\"format\":1}"
        }
        try freeze([model(33)])
        #expect(
            try found(rules: "identifier-too-long", "backend-divergence")
                == ["note identifier-too-long g PostgreSQL", "error backend-divergence g PostgreSQL"])
        #expect(bench.run("migrate", "lint").exit == .differences)
    }

    @Test func `An impossible migration is found, with all other findings`() throws {
        func model(_ b: String) -> String {
            #"{"entities":{"A":{"attributes":{"a":{"type":"bool"}}},"B":{\#(b)"attributes":{"b":{"type":"bool"}}}},"format":1}"#
        }
        try freeze([model(""), model(#""superentity":"A","#)])
        #expect(try found(rules: "refused") == ["error refused V1-V2 "])
        #expect(bench.run("migrate", "lint").exit == .differences)
    }

    @Test func `Versions whose file names differ only in case are found`() throws {
        try freeze([ShopVersions.first, ShopVersions.second])
        try bench.freeze("v2", ShopVersions.third, after: "V2", losing: "Sample.ratio")
        #expect(try found(rules: "case-fold-collision") == ["error case-fold-collision v2 "])
    }

    /// Returns a model of two entities with relationships to each other, and further parts.
    private func pair(
        name: String = #""a":{"type":"bool"}"#, rule: String = "deny", toMany: Bool = true, more: String = ""
    ) -> String {
        let many = toMany ? #","toMany":true"# : #","optional":true"#
        return """
            {"entities":{"A":{"attributes":{\(name)},\
            "relationships":{"bs":{"deleteRule":"\(rule)","inverse":"as","to":"B"\(many)}}},\
            "B":{"attributes":{"b":{"type":"bool"}},\
            "relationships":{"as":{"inverse":"bs","to":"A","toMany":true}}}\(more)},"format":1}
            """
    }

    @Test func `Removed entities, renames and weaker delete rules are found`() throws {
        try bench.freeze("V1", pair(more: #","C":{"attributes":{"c":{"type":"bool"}}}"#))
        let renamed = #""a2":{"type":"bool","renamedFrom":"a"}"#
        try bench.freeze("V2", pair(name: renamed, rule: "noAction"), after: "V1", losing: "C")
        #expect(try found(rules: "drop-entity") == ["note drop-entity C "])
        #expect(try found(rules: "rename-unphased") == ["note rename-unphased A.a2 "])
        #expect(try found(rules: "delete-rule-weakened") == ["warning delete-rule-weakened A.bs "])
    }

    @Test func `A relationship that becomes to-one is found`() throws {
        try freeze([pair(), pair(toMany: false)])
        #expect(try found(rules: "cardinality-narrowing") == ["error cardinality-narrowing A.bs "])
        #expect(bench.run("migrate", "lint").exit == .differences)
    }
}
