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
