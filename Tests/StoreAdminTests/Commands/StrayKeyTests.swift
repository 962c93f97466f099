import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Rows with invalid keys, which another program has written.
struct StrayKeyTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available, [0, -5])
    func `A row with a key below one is an error that names it, and is not skipped`(
        place: TestPlace, key: Int
    ) throws {
        bench.variables["SHOP"] = try bench.makeShop(place)
        try bench.write(#"{"stores": {"shop": {"url": {"env": "SHOP"}}}}"#, to: "storectl.json")
        let count = bench.run("data", "checksum")
        #expect(count.exit == .success)
        let table = try bench.tool.store(nil, config: nil).inspect { inspector in
            try #require(
                inspector.tables().first { if case .objects("Sample") = $0.role { true } else { false } })
        }
        let change = bench.run(
            "sql", "--write",
            "UPDATE \(table.name) SET _id = \(key) WHERE _id = (SELECT max(_id) FROM \(table.name))")
        try #require(change.exit == .success, "\(change.problems)")
        for words in [
            ["data", "checksum"], ["data", "export", "--out", "out.jsonl"],
            ["backup", "create", "--out", "copy.sqlite"], ["check"],
            ["data", "copy", "shop", "sqlite:copied.sqlite"],
            ["data", "sample", "shop", "sqlite:sample.sqlite"],
        ] {
            let outcome = bench.run(words)
            #expect(outcome.exit != .success, "\(words)")
            let said = outcome.problems + outcome.output
            #expect(said.contains("has the key \(key)"), "\(words): \(said)")
        }
    }
}
