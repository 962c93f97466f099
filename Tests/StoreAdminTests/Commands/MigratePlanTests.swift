import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The effects on tables and rows in `migrate plan`, and the remaining steps of a migration in progress.
struct MigratePlanTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Returns the effects on tables in the document of a plan, step by step: `table lock work rows estimated`.
    private func tables(_ words: String...) throws -> [[String]] {
        let outcome = bench.run(words + ["--json"])
        try #require(outcome.exit == .success, "\(outcome.problems)")
        guard case .object(let members) = JSONValue(try JSONDocument(outcome.output).root),
            case .array(let steps)? = members["steps"]
        else { return [] }
        return steps.map { step in
            guard case .object(let members) = step, case .array(let tables)? = members["tables"] else {
                return []
            }
            return tables.map { table in
                guard case .object(let members) = table else { return "" }
                return ["table", "lock", "work", "rows", "estimated"].map { name in
                    if case .string(let text)? = members[name] { text } else { members[name]?.text ?? "" }
                }.joined(separator: " ")
            }
        }
    }

    @Test(arguments: TestPlace.available)
    func `A plan of a store has the number of rows, unlike its digest`(_ place: TestPlace) throws {
        try bench.makeProject(place)
        #expect(
            try tables("migrate", "plan")
                == (place == .sqlite
                    ? [["sample null none 2 false"], []]
                    : [
                        ["sample ACCESS EXCLUSIVE none 2 false"],
                        ["_store_models ACCESS EXCLUSIVE closed null null"],
                    ]))
        let plan = bench.run("migrate", "plan").output
        #expect(
            plan.contains(
                place == .sqlite
                    ? "\n    sample  in place  2 rows\n"
                    : "\n    sample         ACCESS EXCLUSIVE  in place             2 rows\n"),
            "\(plan)")
        #expect(
            bench.run("migrate", "plan", "--sql").output
                .contains(
                    place == .sqlite
                        ? "2 rows\nPRAGMA foreign_keys = 0;\nBEGIN IMMEDIATE;\n" : "2 rows\nBEGIN "))
        #expect(bench.run("migrate", "plan", "--out", "plan.json").exit == .success)
        #expect(bench.run("sql", "--write", "DELETE FROM sample WHERE _id = 2").exit == .success)
        #expect(try tables("migrate", "plan")[0][0].hasSuffix(" 1 false"))
        #expect(bench.run("migrate", "plan").output.contains("  1 row\n"))
        #expect(bench.run("migrate", "apply", "--plan", "plan.json").exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `Many rows are estimated by the database`(_ place: TestPlace) throws {
        try bench.makeProject(place)
        let count = place == .sqlite ? 1_200_000 : 20_000
        let rows =
            "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
            + "INSERT INTO sample (_id, _version, label) SELECT i, 1, '' FROM n"
        #expect(bench.run("sql", "--write", rows).exit == .success)
        #expect(bench.run("maintain", "analyze").exit == .success)
        #expect(try tables("migrate", "plan")[0][0].hasSuffix(" true"))
        let words = place == .sqlite ? "about 1,200,000 rows" : "about 20,000 rows"
        #expect(bench.run("migrate", "plan").output.contains("  \(words)\n"))
    }

    @Test(arguments: ["sqlite", "postgres"])
    func `A plan without a store has no row counts`(_ backend: String) throws {
        try bench.makeProject(.sqlite)
        let rows = try tables("migrate", "plan", "--for", backend).flatMap { $0 }
        #expect(!rows.isEmpty && rows.allSatisfy { $0.hasSuffix(" null null") })
        let plan = bench.run("migrate", "plan", "--for", backend).output
        #expect(plan.hasSuffix("The numbers of rows are unknown without a store.\n"), "\(plan)")
    }

    @Test(arguments: TestPlace.available)
    func `The remaining steps are listed with their tables, in every format`(_ place: TestPlace) throws {
        try bench.makeProject(place)
        try bench.freeze("V3", ShopVersions.third, after: "V2", losing: "Sample.ratio")
        #expect(bench.run("migrate", "apply", "--to", "V2", "--phase", "contract").exit == .success)
        #expect(bench.run("migrate", "apply", "--backup", "none").exit == .success)
        #expect(
            try tables("migrate", "plan")[0].first
                == (place == .sqlite
                    ? "sample null rewritten 2 false" : "sample ACCESS EXCLUSIVE none 2 false"))
        let plan = bench.run("migrate", "plan").output
        #expect(plan.hasPrefix("The migration V2-V3 is unfinished. The remaining steps:\n"))
        #expect(plan.contains("  2 rows\n") && plan.hasSuffix("Lost: Sample.ratio.\n"), "\(plan)")
        let script = bench.run("migrate", "script")
        #expect(script.output.hasPrefix("-- V2-V3, the remaining steps\n-- contract: "), "\(script.problems)")
        #expect(script.output.contains("2 rows\n") && script.output.contains("COMMIT;\n"))
        #expect(bench.run("migrate", "plan", "--sql").output == script.output)
    }

    @Test(arguments: TestPlace.available)
    func `Conflicting rows are reported before a backup is made`(_ place: TestPlace) throws {
        try bench.makeProject(place)
        let third = ShopVersions.third.replacing(
            #""more":{"optional":true,"type":"string"}"#, with: #""more":{"type":"string"}"#)
        try bench.freeze("V3", third, after: "V2", losing: "Sample.ratio")
        #expect(bench.run("migrate", "apply", "--to", "V2", "--phase", "contract").exit == .success)
        let manifest = try bench.read("Migrations/V2-V3.json")
        try bench.write(
            manifest.replacing("Sample.ratio\": \"Nobody", with: "Sample.other\": \"Nobody"),
            to: "Migrations/V2-V3.json")
        let unnamed = bench.run("migrate", "apply")
        #expect(
            unnamed.problems.contains("Sample.ratio") && !unnamed.problems.contains("backing up"))
        try bench.write(manifest, to: "Migrations/V2-V3.json")
        let refused = bench.run("migrate", "apply")
        #expect(refused.exit == .refused)
        #expect(refused.problems.contains("2 objects of Sample have no more"), "\(refused.problems)")
        #expect(!refused.problems.contains("backing up"))
        #expect(bench.run("sql", "--write", "UPDATE sample SET more = 'm'").exit == .success)
        let applied = bench.run("migrate", "apply")
        #expect(applied.exit == .success && applied.problems.contains("backing up"), "\(applied.problems)")
    }

    @Test(arguments: TestPlace.available)
    func `Stopping early lists the remaining steps and their commands`(_ place: TestPlace) throws {
        try bench.makeProject(place)
        try bench.freeze(
            "V3",
            ShopVersions.second.replacing(
                #""single":{"optional":true,"type":"float"}}}"#,
                with: #""single":{"optional":true,"type":"float"}},"indexes":[{"properties":["label"]}]}"#),
            after: "V2")
        #expect(bench.run("migrate", "apply", "--to", "V2", "--phase", "contract").exit == .success)
        let expand = bench.run("migrate", "apply", "--phase", "expand")
        switch place {
        case .postgres:
            #expect(
                expand.output
                    == "1 step done; validate waits for 'storectl migrate apply', and the contract phase for 'storectl migrate complete'.\n"
            )
            #expect(bench.run("migrate", "status").output.contains("next     storectl migrate apply\n"))
            #expect(bench.run("status").output.contains("storectl migrate apply"))
            #expect(try bench.json("status")["next"] == .array([.string("storectl migrate apply")]))
            let validate = bench.run("migrate", "apply")
            #expect(
                validate.output == "1 step done; the contract phase waits for 'storectl migrate complete'.\n")
        case .sqlite:
            // The index is created at once, since SQLite has one writer.
            #expect(
                expand.output == "1 step done; the contract phase waits for 'storectl migrate complete'.\n")
        }
        #expect(bench.run("migrate", "status").output.contains("next     storectl migrate complete\n"))
        #expect(try bench.json("migrate", "apply")["left"] == .array([.string("contract")]))
        #expect(try bench.json("migrate", "complete")["left"] == .array([]))
    }
}
