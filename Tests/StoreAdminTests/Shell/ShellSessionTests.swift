import ContextCore
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import StoreAdmin

/// The commands of the shell, with a terminal that records what it is asked for.
struct ShellSessionTests {
    /// What a session wrote and what it ran.
    private final class Record: Sendable {
        let output = Mutex("")
        let problems = Mutex("")
        let pages = Mutex<[String]>([])
        let commands = Mutex<[String]>([])
    }

    private let bench: AdminBench
    private let record = Record()

    init() throws {
        bench = try AdminBench()
        bench.variables["PAGER"] = "pages"
    }

    /// Makes a session at a terminal of 10 lines.
    ///
    /// - Parameters:
    ///   - pagerStatus: The exit code of the pager.
    ///   - edit: Returns what the editor writes, for the contents of the file.
    ///   - isInterrupted: Returns whether Ctrl-C was pressed.
    private func session(
        pagerStatus: Int32 = 0, edit: @escaping @Sendable (String) -> String? = { $0 },
        isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) throws -> ShellSession {
        let record = record
        let terminal = ShellTerminal(
            size: { Pager.Size(rows: 10, columns: 200) },
            page: { text, command in
                record.commands.withLock { $0.append(command) }
                record.pages.withLock { $0.append(text) }
                return pagerStatus
            },
            run: { command in
                record.commands.withLock { $0.append(command) }
                let path = String(command.drop { $0 != "/" })
                guard let text = try? String(contentsOfFile: path, encoding: .utf8), let edited = edit(text)
                else { return 1 }
                return (try? edited.write(toFile: path, atomically: false, encoding: .utf8)) == nil ? 1 : 0
            },
            interrupts: ShellInterrupts(consume: isInterrupted, endProgram: {}),
            makeReader: { output, _ in InputReader(LineInput(isTerminal: false) { nil }, output: output) })
        let output = Output(
            data: { text in record.output.withLock { $0 += text } },
            message: { text in record.problems.withLock { $0 += text } }, style: TextStyle(width: 200))
        let call = CommandCall(
            arguments: ParsedArguments(), tool: bench.tool, format: .table, output: output)
        return try ShellSession(
            call: call, history: ShellHistory(call.tool.environment), terminal: terminal)
    }

    private var output: String { record.output.withLock { $0 } }
    private var problems: String { record.problems.withLock { $0 } }

    /// Runs inputs, and returns what they wrote to standard output.
    private func run(_ session: ShellSession, _ inputs: String...) -> String {
        record.output.withLock { $0 = "" }
        for input in inputs { #expect(session.perform(input), "\(input)") }
        return output
    }

    // MARK: Commands

    @Test(arguments: TestPlace.available)
    func `Commands show the model and the database`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let session = try session()
        _ = run(session, "\\pager off")
        #expect(run(session, "\\d").contains("Referee"))
        #expect(run(session, "\\d Round").contains("number"))
        #expect(run(session, "\\dr").contains("favourites"))
        #expect(run(session, "\\di").contains("yes"))
        #expect(run(session, "\\dt").contains("links"))
        #expect(run(session, "\\h").contains("order by"))
        #expect(!problems.contains("error"), "\(problems)")
        #expect(session.firstFailure == nil)
        #expect(!session.perform("\\q"))
    }

    @Test func `Expanded display shows whole values`() throws {
        _ = try bench.makeShop()
        let session = try session()
        let expanded = run(session, "\\x", "\\pager off", "Player where name == \"Ann\"")
        let lines = expanded.split(separator: "\n").map { $0.replacing(#/ +/#, with: " ") }
        #expect(lines.first == "[1]")
        for line in ["id 1", "name Ann", "score 12", "game Game:1"] {
            #expect(lines.contains { $0 == line }, "\(expanded)")
        }
        #expect(run(session, "\\x off", "Player where name == \"Ann\"").contains("─"))
        _ = run(session, "\\x maybe")
        #expect(problems.contains("“maybe” is neither on nor off."))
    }

    @Test func `A long result appears in the pager, unless it is off or missing`() throws {
        _ = try bench.makeShop()
        let paged = try session()
        #expect(run(paged, "\\?") == "")
        #expect(record.pages.withLock { $0 } == [ShellWord.overview])
        #expect(record.commands.withLock { $0 } == ["LESS=\"${LESS-FRX}\" pages"])
        #expect(run(paged, "\\count Game") == "2\n")
        #expect(run(paged, "\\pager off", "\\?") == ShellWord.overview)
        #expect(run(try session(pagerStatus: 127), "\\?") == ShellWord.overview)
    }

    @Test func `Results of a file are not paged`() throws {
        _ = try bench.makeShop()
        let session = try session()
        #expect(run(session, "\\o help.txt", "\\?", "\\o") == "")
        #expect(try bench.read("help.txt") == ShellWord.overview)
        #expect(record.pages.withLock { $0 } == [])
    }

    @Test func `The editor changes the last request, and the shell runs it`() throws {
        _ = try bench.makeShop()
        bench.variables["EDITOR"] = "edit -x"
        let session = try session { $0.replacing("Game", with: "Player") }
        #expect(run(session, "\\count Game", "\\e") == "2\n3\n")
        #expect(record.commands.withLock { $0.first?.hasPrefix("edit -x /") } == true)
        #expect(session.history?.inputs == ["\\count Game", "\\e", "\\count Player"])
        // The last request has no Game any more.
        #expect(run(session, "\\e") == "")
        #expect(problems.contains("The text is unchanged, so nothing was run."))
        #expect(run(session, "\\e \\count Game where title == \"Go\"") == "")
        #expect(problems.contains("Player has no property"))
        for command in record.commands.withLock({ $0 }) {
            #expect(!FileManager.default.fileExists(atPath: String(command.drop { $0 != "/" })))
        }
    }

    @Test func `A failing editor runs nothing`() throws {
        _ = try bench.makeShop()
        let session = try session { _ in nil }
        #expect(run(session, "\\e \\count Game") == "")
        #expect(problems.contains("the editor “vi” failed, so nothing was run."))
        #expect(session.firstFailure == .cannotCreate)
    }

    @Test func `The history is shown and written`() throws {
        _ = try bench.makeShop()
        let session = try session()
        _ = run(session, "\\count Game", " \\count Player", "\\s history.txt")
        #expect(run(session, "\\s") == "\\count Game\n\\s history.txt\n\\s\n")
        #expect(try bench.read("history.txt") == "\\count Game\n\\s history.txt\n")
    }

    // MARK: Stores

    @Test func `Another store is used for the next requests`() throws {
        let shop = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        try bench.write(
            #"{"default": "shop", "stores": {"shop": "\#(shop)", "live": {"url": "\#(shop)?mode=ro", "production": true}, "none": "sqlite:none"}}"#,
            to: "storectl.json")
        let session = try session()
        // Both names have the same store, so both are production.
        #expect(session.prompt.text() == "shop [production]=> ")
        _ = run(session, "\\c live")
        #expect(session.prompt.text() == "live [production, read-only]=> ")
        #expect(run(session, "\\count Game") == "2\n")
        _ = run(session, "\\c none")
        #expect(problems.contains("There is no store at"))
        #expect(session.prompt.name == "live")
        _ = run(session, "\\c shop acme more")
        #expect(problems.contains("\\c takes a store and a tenant, but also got “more”."))
        #expect(run(session, "\\l").contains("sqlite:none"))
        #expect(session.completion.result(for: "\\c ").candidates.map(\.text) == ["live", "none", "shop"])
        _ = run(session, "\\c")
        #expect(problems.hasSuffix("\\h shows the syntax of requests.\n"))
    }

    @Test(arguments: TestPlace.available)
    func `Tenants are used and completed`(place: TestPlace) async throws {
        let fleet = try await FleetProject(place, tenants: ["acme", "beta"])
        // A machine under load may need more than the second that a user waits.
        fleet.bench.variables["STORECTL_COMPLETION_TIMEOUT"] = "60s"
        let output = Output(data: { _ in }, message: { _ in })
        var arguments = ParsedArguments()
        arguments.append("tenant", "acme")
        let session = try ShellSession(
            call: CommandCall(arguments: arguments, tool: fleet.bench.tool, format: .table, output: output))
        #expect(session.prompt.text() == "fleet/acme=> ")
        let tenants = session.completion.result(for: "\\c fleet ").candidates.map(\.text)
        #expect(tenants == ["acme", "beta"])
        #expect(session.perform("\\c fleet beta"))
        #expect(session.prompt.text() == "fleet/beta=> ")
        #expect(session.firstFailure == nil)
    }

    @Test func `Tab runs no command that prints a password`() throws {
        let shop = try bench.makeShop()
        bench.variables["STORECTL_URL"] = nil
        try bench.write(
            """
            {"default": "shop", "stores": {"shop": "\(shop)", "prod": {"url": "postgres://app@127.0.0.1:1/shop",
              "password": {"command": ["touch", "\(bench.folder)/prompted"]}}}}
            """, to: "storectl.json")
        #expect(try session().completion.result(for: "\\c prod ").candidates == [])
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/prompted"))
    }

    @Test(.enabled(if: TestPlace.server != nil, "there is no server"))
    func `A command that prints a password runs once for each connection of the user`() throws {
        let role = try bench.makeShopWithReader()
        defer { bench.dropReader(role) }
        bench.variables["READER"] = bench.variables["READER"]?.replacing(":reading@", with: "@")
        try bench.write(
            """
            {"default": "reader", "stores": {"owner": {"url": {"env": "OWNER"}}, "reader": {"url": {"env": "READER"},
              "password": {"command": ["sh", "-c", "echo run >>\(bench.folder)/runs; echo reading"]}}}}
            """, to: "storectl.json")
        let session = try session()
        #expect(run(session, "\\count Game", "\\count Game") == "2\n2\n", "\(problems)")
        #expect(try bench.read("runs") == "run\n")
        #expect(run(session, "\\c reader", "\\count Game") == "2\n", "\(problems)")
        #expect(try bench.read("runs") == "run\nrun\n")
    }

    @Test func `A password in an address appears nowhere`() throws {
        _ = try bench.makeShop()
        let session = try session()
        _ = run(
            session, "\\c postgres://app:hunter2@localhost/none", "\\c host=localhost password=hunter2", "\\s"
        )
        #expect(problems.contains("error"))
        #expect(!(problems + output).contains("hunter2"), "\(problems)")
        #expect(session.history?.inputs == ["\\s"])
    }

    // MARK: Ctrl-C

    @Test(arguments: TestPlace.available)
    func `Ctrl-C cancels a statement, and the shell continues`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let endless =
            "\\sql WITH RECURSIVE n (i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let isRunning = Mutex(false)
        let session = try session(isInterrupted: { isRunning.withLock { $0 } })
        isRunning.withLock { $0 = true }
        #expect(session.perform(endless))
        #expect(problems == "\ncancelled\n")
        #expect(session.firstFailure == nil)
        isRunning.withLock { $0 = false }
        #expect(run(session, "\\sql SELECT 1 AS one").contains("1"))
        #expect(run(session, "\\count Game") == "2\n")
    }

    @Test func `The third press ends the program if the work doesn't stop`() throws {
        let presses = Mutex(0)
        let gate = ThreadSignal()
        let interrupts = ShellInterrupts(
            consume: {
                presses.withLock { $0 += 1 }
                return true
            },
            endProgram: { gate.signal() })
        #expect(throws: InterruptibleWork.Interruption.self) {
            try InterruptibleWork.run(interrupts) {
                // Work that doesn't check for cancellation.
                _ = gate.wait(.seconds(60))
                throw CancellationError()
            }
        }
        // The first call discards an earlier press.
        #expect(presses.withLock { $0 } >= 4)
    }

    @Test func `Work returns its result and its error`() throws {
        let interrupts = ShellInterrupts(consume: { false }, endProgram: {})
        #expect(try InterruptibleWork.run(interrupts) { 3 } == 3)
        #expect(throws: AdminError.self) {
            try InterruptibleWork.run(interrupts) { () throws -> Int in throw AdminError.usage("no") }
        }
    }
}
