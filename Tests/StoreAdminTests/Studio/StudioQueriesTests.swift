import ContextCore
import Testing

@testable import StoreAdmin

/// The list of commands that the page may run.
struct StudioQueriesTests {
    /// Options of commands that write, or that name a file or another store.
    private static let forbidden: Set = [
        "out", "repair", "yes", "plan", "dry-run", "write", "confirm", "backup", "folder", "project", "app",
        "store",
        "tenant", "config", "output", "model", "report", "accept", "from-file",
    ]

    @Test(arguments: StudioQueries.all.map(\.path))
    func `A query can't choose an option that writes or that names a file`(path: String) throws {
        let query = try #require(StudioQueries.query(path))
        #expect(query.options.isDisjoint(with: Self.forbidden))
        let declaration = try #require(CommandTree.all.command(query.words)).declaration
        #expect(declaration.formats.contains(.json))
        #expect(query.operands.count <= declaration.operands.count)
        #expect(query.options.isSubset(of: declaration.options.map(\.name)))
        for option in declaration.options where query.options.contains(option.name) {
            let kind = option.valueKind
            #expect(kind != .file && kind != .folder && kind != .store && kind != .model, "\(option.name)")
        }
        for operand in declaration.operands.prefix(query.operands.count) {
            #expect(![.file, .folder, .store, .model].contains(operand.kind), "\(operand.name)")
        }
        #expect(
            !declaration.exitCodes.contains(.refused) || ["check", "migrate plan"].contains(declaration.name))
    }

    @Test func `Every path is there once, and no path writes`() {
        let paths = StudioQueries.all.map(\.path)
        #expect(Set(paths).count == paths.count)
        #expect(StudioQueries.query("/api/inspect/entity")?.words == ["inspect", "entity"])
        #expect(StudioQueries.query("/api/sql") == nil)
        #expect(StudioQueries.query("/api/shell") == nil)
    }

    private func arguments(_ path: String, _ items: [(String, String)]) throws -> [String] {
        let query = try #require(StudioQueries.query(path))
        let declaration = try #require(CommandTree.all.command(query.words)).declaration
        return try query.arguments(items.map { (name: $0.0, value: $0.1) }, of: declaration)
    }

    @Test func `Items become options and operands, which no text can leave`() throws {
        #expect(
            try arguments("/api/query", [("request", "--where"), ("where", "--out=/etc/x"), ("limit", "5")])
                == ["--where=--out=/etc/x", "--limit=5", "--", "--where"])
        #expect(try arguments("/api/count", [("request", "-s sqlite:x")]) == ["--", "-s sqlite:x"])
        #expect(
            try arguments("/api/check", [("only", "orphans"), ("entity", "")]) == [
                "--only=orphans", "--entity=", "--",
            ])
        #expect(try arguments("/api/doctor", [("deep", "")]) == ["--deep", "--"])
    }

    @Test func `A query without a limit gets one`() throws {
        #expect(try arguments("/api/query", [("request", "Game")]) == ["--limit=200", "--", "Game"])
        #expect(try arguments("/api/query", [("request", "Game limit 3")]) == ["--", "Game limit 3"])
        #expect(try arguments("/api/count", [("request", "Game")]) == ["--", "Game"])
    }

    @Test func `Unknown, repeated and misused items are errors`() {
        for (path, items) in [
            ("/api/check", [("repair", "")]), ("/api/migrate/plan", [("out", "/tmp/x")]),
            ("/api/status", [("store", "x")]),
            ("/api/query", [("request", "Game"), ("request", "Player")]), ("/api/doctor", [("deep", "no")]),
            ("/api/query", [("request", "Game"), ("-s", "x")]), ("/api/drift", [("check", "")]),
        ] {
            #expect(throws: AdminError.self, "\(path) \(items)") { try arguments(path, items) }
        }
    }

    @Test func `Only the last operands can be missing`() throws {
        #expect(try arguments("/api/model/show", []) == ["--"])
        #expect(try arguments("/api/model/show", [("version", "1")]) == ["--", "1"])
    }
}
