import ContextCore
import Testing

@testable import StoreAdmin

/// User-defined objects on a store's tables.
struct UserObjectTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available)
    func `Drift and doctor report user-defined objects`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(bench.run("drift", "--check").exit == .success)
        var statements = [
            "CREATE INDEX mine ON game (title, price)", "CREATE VIEW titles AS SELECT title FROM game",
        ]
        if place == .sqlite {
            statements.append("CREATE TRIGGER audit AFTER DELETE ON game BEGIN SELECT 1; END")
        } else {
            statements += [
                "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                "CREATE TRIGGER audit BEFORE UPDATE ON game FOR EACH ROW EXECUTE FUNCTION audit()",
                "ALTER TABLE game DISABLE TRIGGER audit", "ALTER TABLE round ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY p ON round USING (true)",
                "ALTER TABLE game ADD CONSTRAINT c CHECK (price > -1)",
            ]
        }
        for statement in statements {
            let outcome = bench.run("sql", "--write", statement)
            try #require(outcome.exit == .success, "\(statement): \(outcome.problems)")
        }
        let drift = bench.run("drift", "--check")
        #expect(drift.exit == .differences)
        var expected = [
            "The index mine on game is user-defined.", "The view titles reads the store's tables.",
            "The trigger audit on game is ",
        ]
        if place == .postgres {
            expected += [
                "and is disabled.", "Row security is on for the table round.", "The policy p on round",
                "c on game",
            ]
        }
        for words in expected { #expect(drift.output.contains(words), "\(words): \(drift.output)") }
        let doctor = bench.run("doctor")
        #expect(doctor.output.contains("user objects"), "\(doctor.output)")
        #expect(doctor.exit == .differences)
    }
}
