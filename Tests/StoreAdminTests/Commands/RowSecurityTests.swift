import ContextCore
import Testing

@testable import StoreAdmin

/// Commands for a whole store, of which row security hides objects from the login's role.
struct RowSecurityTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test func `No command copies or checks a part of a store as if it were the whole`() throws {
        guard TestPlace.server != nil else { return }
        let role = try bench.makeShopWithReader()
        defer { bench.dropReader(role) }
        for statement in [
            "ALTER TABLE round ENABLE ROW LEVEL SECURITY", "CREATE POLICY visible ON round USING (_id <> 1)",
        ] {
            let outcome = bench.run("sql", "--write", statement, "-s", "owner")
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
        // Ordinary reads return what the role may see.
        #expect(bench.run("count", "Round", "-s", "reader").output == "1\n")
        for words in [
            ["backup", "create", "-s", "reader"], ["data", "copy", "reader", "sqlite:copy.sqlite"],
            ["data", "export", "-s", "reader"], ["data", "checksum", "-s", "reader"],
            ["data", "verify", "reader", "owner"], ["check", "-s", "reader"],
        ] {
            let outcome = bench.run(words)
            #expect(outcome.exit == .permission, "\(words): \(outcome.output)\(outcome.problems)")
            #expect(outcome.problems.contains("Row security hides rows"), "\(outcome.problems)")
            #expect(outcome.problems.contains("BYPASSRLS"), "\(outcome.problems)")
        }
        #expect(bench.run("check", "-s", "owner").exit == .success)
    }
}
