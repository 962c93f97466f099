import ContextCore
import Foundation
import Testing

@testable import PostgresBackend
@testable import SQLiteBackend
@testable import StoreAdmin

/// Every exit code in the help of a command is returned by some call of it, in a shell.
struct ExitCodeTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Stores with a problem that no command can solve, and the exit code of every command that opens them.
    enum Trouble: Int32, CaseIterable, Sendable {
        case none = 66
        case text = 65
        case unreachable = 69
        case busy = 75
        case locked = 77
        case unknown = 78

        /// The address of the store in a call.
        var store: String {
            switch self {
            case .none: "sqlite:none.sqlite"
            case .text: "sqlite:text.db"
            case .unreachable: "postgres://app@127.0.0.1:1/shop"
            case .busy: "busy"
            case .locked: "locked"
            case .unknown: "nope:x"
            }
        }

        /// The name that confirms a command.
        var name: String {
            switch self {
            case .none: "none.sqlite"
            case .text: "text.db"
            case .unreachable: "shop"
            case .busy, .locked: store
            case .unknown: "x"
            }
        }
    }

    private static let second = ShopExport.model.replacing(
        #""label":{"type""#, with: #""more":{"optional":true,"type":"string"},"label":{"type""#)

    /// Creates the files of the calls: the store `shop`, its copy `prod`, versions of its model, and files of all kinds.
    private func prepare() throws {
        bench.variables["SHOP"] = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        bench.lines = ["Game"]
        try bench.write(
            """
            {"default": "shop", "stores": {"shop": {"url": {"env": "SHOP"}}, \
            "prod": {"url": "sqlite:prod.sqlite", "production": true}, \
            "busy": "sqlite:busy.sqlite?busy_timeout=1ms", "locked": {"url": {"env": "LOCKED"}}}}
            """, to: "storectl.json")
        bench.variables["LOCKED"] = "sqlite:none.sqlite"
        try bench.write("no database at all, but some text", to: "text.db")
        try bench.write("half", to: "bad.sqlite")
        try bench.write("{}", to: "bad.sqlite.json")
        try bench.write("", to: "foreign.sqlite")
        try bench.write("title\nMill\n\"\"\n", to: "rows.csv")
        try bench.write(
            #"{"changes": [{"update": "Game:1", "version": 3, "set": {"price": 13}}]}"#, to: "changes.json")
        _ = try CoreDataFixture(in: bench.folder)
        try bench.write(#"{"stores": {"a": {"url": {"env": "NOWHERE"}}}}"#, to: "odd.json")
        try bench.write(
            #"{"entities": {"Other": {"attributes": {"a": {"type": "bool"}}}}, "format": 1}"#,
            to: "other.json")
        let third = Self.second.replacing(#""more""#, with: #""most":{"optional":true,"type":"bool"},"more""#)
        let lossy = Self.second.replacing(#""flag":{"optional":true,"type":"bool"},"#, with: "")
        let renamed = third.replacing(#""label""#, with: #""caption""#)
        for (name, model) in [
            ("shop.model", ShopExport.model), ("second", Self.second), ("third", third), ("lossy", lossy),
            ("renamed", renamed), ("odd.model", ModelSourceTests.odd),
            ("import", ExampleModels.single("A", "b", "bool")),
            ("edited", ExampleModels.single("A", "b", "int64")),
        ] {
            try bench.write(model, to: "\(name).json")
        }
        for words in [
            ["data", "copy", "shop", "prod", "--confirm", "prod"],
            ["sql", "--write", "CREATE TABLE a (b text)", "-s", "sqlite:foreign.sqlite"],
            ["backup", "create", "--out", "backup.sqlite"], ["backup", "create", "--out", "broken.sqlite"],
            ["model", "freeze", "V1", "--model", "shop.model.json"],
            ["model", "freeze", "V2", "--model", "second.json"], ["migrate", "new", "V1", "V2"],
        ] {
            let outcome = bench.run(words)
            try #require(outcome.exit == .success, "\(words): \(outcome.problems)")
        }
        try FileManager.default.createDirectory(
            atPath: bench.folder + "/bad/Models", withIntermediateDirectories: true)
        try bench.write("no model", to: "bad/Models/V1.model.json")
        // By default, a connection of SQLite doesn't check foreign keys.
        let connection = try SQLiteConnection(
            path: bench.folder + "/broken.sqlite", access: .readAndWrite, timeout: .zero)
        try connection.execute("UPDATE person SET mentor_id = 99 WHERE _id = 2")
        connection.close()
    }

    /// Returns the calls of the table on a store, for the commands that may have a code.
    private func calls(_ trouble: Trouble) -> [(name: String, words: [String])] {
        CommandTree.all.commands.compactMap { command in
            guard let code = ExitCode(rawValue: trouble.rawValue),
                command.declaration.exitCodes.contains(code),
                let words = ExitTable.onStores[command.declaration.name]
            else { return nil }
            if trouble == .none, ExitTable.makers.contains(command.declaration.name) { return nil }
            if ExitTable.listers.contains(command.declaration.name) {
                // Without tenants, listing them succeeds, and the other commands fail.
                let isList = command.declaration.name == "fleet list"
                guard Self.listing.contains(trouble), !isList || trouble != .none else { return nil }
            }
            if trouble == .locked, Self.openToAll.contains(command.declaration.name) { return nil }
            let named = words.map {
                $0.replacing("NAME", with: trouble.name).replacing("STORE", with: trouble.store)
            }
            return (
                command.declaration.name,
                named == words || !words.contains("STORE") ? named + ["-s", trouble.store] : named
            )
        }
    }

    /// The commands that need only access to the database, whatever the role may do with the store.
    private static let openToAll: Set = [
        "sql", "db ping", "db wait", "inspect settings", "maintain integrity", "model import",
        "activity",
    ]

    /// The problems that prevent listing the tenants of an address; problems of a single store are reported in its line.
    private static let listing: Set<Trouble> = [.none, .unreachable, .unknown]

    // MARK: Codes in the help

    @Test(arguments: CommandTree.all.commands.map(\.declaration.words))
    func `Each code in a command's help is the code of a call`(words: [String]) throws {
        let command = try #require(CommandTree.all.command(words)?.declaration)
        let help = bench.run(["help"] + words).output
        let line = try #require(help.split(separator: "\n").first { $0.hasPrefix("Exit codes: ") })
        let promised = Set(
            line.dropFirst("Exit codes: ".count).split(separator: ", ").compactMap { Int32($0) })
        var shown = Set(
            (ExitTable.cases[command.name] ?? []).filter { $0.words.starts(with: words) }.map(\.exit.rawValue)
        )
        // Codes that every command may return have separate tests.
        shown.formUnion([ExitCode.usage, .inputOutput, .internalFault].map(\.rawValue))
        // A studio succeeds when it is stopped, which the tests of its process show.
        if command.name == "studio" { shown.insert(ExitCode.success.rawValue) }
        // These have a separate test, with roles that a server refuses.
        if ExitTable.listers.contains(command.name) {
            shown.formUnion(Self.listing.map(\.rawValue) + [ExitCode.temporary, .permission].map(\.rawValue))
        } else if ExitTable.onStores[command.name] != nil {
            shown.formUnion(Trouble.allCases.map(\.rawValue))
        }
        #expect(promised.subtracting(shown).isEmpty, "\(promised.subtracting(shown)) of \(command.name)")
    }

    @Test(arguments: CommandTree.all.commands.map(\.declaration.name))
    func `A command's cases have their exit codes`(name: String) throws {
        try prepare()
        for entry in ExitTable.cases[name] ?? [] {
            let isStopped = ExitCode.stoppableCommands.contains(entry.exit)
            bench.stopRequest = isStopped ? .polling { entry.exit.rawValue - 128 } : .none
            let outcome = entry.isFresh ? try AdminBench().run(entry.words) : bench.run(entry.words)
            #expect(
                outcome.exit == entry.exit,
                "\(entry.words): \(outcome.exit) \(outcome.output)\(outcome.problems)")
            guard
                let command = CommandTree.all.command(
                    Array(entry.words.prefix { !$0.hasPrefix("-") }.prefix(2)))
                    ?? CommandTree.all.command(Array(entry.words.prefix(1)))
            else { continue }
            #expect(command.declaration.allExitCodes.contains(entry.exit), "\(entry.words)")
        }
    }

    // MARK: Problems of any store

    @Test(arguments: [Trouble.none, .text, .unreachable, .unknown])
    func `A command reports problems of a store`(trouble: Trouble) throws {
        try prepare()
        try expect(trouble)
    }

    @Test func `An exclusively locked store is busy`() throws {
        try prepare()
        let copied = bench.run("data", "copy", "shop", "sqlite:busy.sqlite?journal=delete")
        try #require(copied.exit == .success, "\(copied.problems)")
        let connection = try SQLiteConnection(
            path: bench.folder + "/busy.sqlite", access: .readAndWrite, timeout: .zero)
        defer { connection.close() }
        try connection.execute("BEGIN EXCLUSIVE")
        try expect(.busy)
    }

    @Test func `A role without privileges gets a permission error`() throws {
        guard let server = TestPlace.server else { return }
        try prepare()
        let url = TestPlace.postgres.freshURL()
        bench.variables["OPEN"] = url
        let role = "nobody_" + UUID().uuidString.prefix(8).lowercased()
        let owner = try PostgresConnection(PostgresConfiguration(StoreURL(server)))
        try owner.execute("CREATE ROLE \(role) LOGIN PASSWORD 'locked-out'")
        defer { try? owner.execute("DROP ROLE \(role)") }
        try bench.write(#"{"stores": {"open": {"url": {"env": "OPEN"}}}}"#, to: "open.json")
        let made = bench.run("db", "create", "--model", "shop.model.json", "--config", "open.json")
        try #require(made.exit == .success, "\(made.problems)")
        let parts = try StoreURL(url)
        let settings = parts.options.map { "\($0)=\($1)" }.joined(separator: "&")
        let hosts = parts.hosts.map(\.description).joined(separator: ",")
        bench.variables["LOCKED"] = "postgres://\(role):locked-out@\(hosts)\(parts.path)?\(settings)"
        try expect(.locked)
    }

    @Test(arguments: [("NOLOGIN", ExitCode.permission), ("LOGIN CONNECTION LIMIT 0", .temporary)])
    func `A server that rejects the role prevents listing the tenants`(options: String, exit: ExitCode)
        throws
    {
        guard let server = TestPlace.server else { return }
        try prepare()
        let role = "refused_" + UUID().uuidString.prefix(8).lowercased()
        let owner = try PostgresConnection(PostgresConfiguration(StoreURL(server)))
        try owner.execute("CREATE ROLE \(role) \(options) PASSWORD 'locked-out'")
        defer { try? owner.execute("DROP ROLE \(role)") }
        let parts = try StoreURL(server)
        let hosts = parts.hosts.map(\.description).joined(separator: ",")
        let settings = parts.options.map { "&\($0)=\($1)" }.joined()
        bench.variables["LOCKED"] =
            "postgres://\(role):locked-out@\(hosts)\(parts.path)?timeout=1s\(settings)"
        for name in ExitTable.listers.sorted() {
            let words = try #require(ExitTable.onStores[name])
            let outcome = bench.run(words + ["-s", "locked"])
            #expect(outcome.exit == exit, "\(name): \(outcome.exit) \(outcome.problems)")
            #expect(
                try #require(CommandTree.all.command(Array(words.prefix(2)))).declaration.allExitCodes
                    .contains(
                        exit))
        }
    }

    private func expect(_ trouble: Trouble) throws {
        let code = try #require(ExitCode(rawValue: trouble.rawValue))
        let calls = calls(trouble)
        #expect(calls.count > 30)
        for (name, words) in calls {
            let outcome = bench.run(words)
            #expect(
                outcome.exit == code,
                "\(name), \(words): \(outcome.exit) \(outcome.output)\(outcome.problems)")
            #expect(outcome.problems.hasPrefix("storectl: error SC"), "\(words)")
        }
    }

    // MARK: Problems of any command

    @Test
    func `Every command reports invalid arguments, failing output and internal errors`() throws {
        try prepare()
        for command in CommandTree.all.commands {
            let name = command.declaration.name
            let odd = bench.run(command.declaration.words + ["--odd"])
            #expect(odd.exit == .usage, "\(name)")
            #expect(odd.problems.contains("has no option --odd."), "\(odd.problems)")
        }
        struct Odd: Error {}
        for (failure, exit) in [
            (CocoaError(.fileWriteOutOfSpace) as any Error, ExitCode.inputOutput), (Odd(), .internalFault),
        ] {
            for command in CommandTree.all.commands {
                let words = command.declaration.words
                bench.failure = failure
                let outcome = bench.run(words + ["--help"])
                #expect(outcome.exit == exit, "\(words): \(outcome.exit) \(outcome.problems)")
                bench.failure = nil
            }
        }
    }
}
