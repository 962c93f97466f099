import ChildProcesses
import Foundation
import Testing

@testable import StoreAdmin

/// Imports of another program's database by processes that are killed during the import.
///
/// `STORE_IMPORT_ROWS` is the number of rows.
@Suite(.serialized)
struct KilledDatabaseImportTests {
    private static let rows = Effort.count("STORE_IMPORT_ROWS", otherwise: 20_000)
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private func makeSource(_ target: TestPlace) throws {
        bench.variables["TARGET"] = target.freshURL()
        try bench.write(
            #"{"stores": {"source": "sqlite:old.db", "target": {"url": {"env": "TARGET"}}}}"#,
            to: "storectl.json")
        try bench.write("", to: "old.db")
        let numbers =
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))"
        try RawStore("sqlite:old.db", in: bench.folder).execute([
            "CREATE TABLE club (name text PRIMARY KEY) WITHOUT ROWID",
            """
            CREATE TABLE member (id integer PRIMARY KEY, name text, weight real, club text REFERENCES club, \
            mentor_id integer REFERENCES member)
            """,
            "INSERT INTO club \(numbers) SELECT 'club ' || i FROM n LIMIT 20",
            """
            INSERT INTO member \(numbers) \
            SELECT i, 'member ' || i, i * 0.25, 'club ' || (1 + i % 20), nullif(i - 1, 0) FROM n
            """,
        ])
    }

    private func count() -> Int {
        Int(bench.run("count", "Member", "-s", "target").output.filter(\.isNumber)) ?? 0
    }

    @Test(.timeLimit(.minutes(60)), arguments: TestPlace.available)
    func `A killed import is resumed, and equal to the source`(_ target: TestPlace) throws {
        try makeSource(target)
        let arguments = ["data", "import", "--from", "source", "-s", "target"]
        let process = try bench.start(arguments)
        while process.isRunning, count() < Self.rows / 3 { usleep(2000) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect((1..<Self.rows).contains(count()))
        let outcome = bench.run(arguments + ["--resume"])
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.hasSuffix("The copy is equal to the source.\n"))
        #expect(count() == Self.rows)
        let mentors = bench.run("count", "Member where mentor != nil && club.name != nil", "-s", "target")
        #expect(Int(mentors.output.filter(\.isNumber)) == Self.rows - 1)
    }
}
