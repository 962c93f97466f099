import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// A password in the environment that a server refuses: no command prints it.
struct SecretEverywhereTests {
    private static let password = "pa:ss@ w/rd"
    private static let encoded = "pa%3Ass%40%20w%2Frd"

    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// The places in the environment where a tool may find the password.
    enum Place: String, CaseIterable, Sendable {
        case storectlURL, databaseURL, words, wordsInVariable
    }

    /// Puts the password for a server with an address into a place.
    private func storePassword(_ place: Place, host: String, port: Int) throws {
        let url = "postgres://store_test:\(Self.encoded)@\(host):\(port)/shop"
        let words = "host=\(host) port=\(port) user=store_test password='\(Self.password)' dbname=shop"
        switch place {
        case .storectlURL: bench.variables["STORECTL_URL"] = url
        case .databaseURL: bench.variables["DATABASE_URL"] = url
        case .wordsInVariable: bench.variables["STORECTL_URL"] = words
        case .words:
            try bench.write(
                #"{"stores": {"a": \#(JSONValue.string(words).text)}}"#, to: "storectl.json")
        }
    }

    /// Runs every command that opens a store, with both forms of errors; returns their exit codes.
    private func runAll() throws -> Set<ExitCode> {
        try bench.write(ShopExport.model, to: "shop.model.json")
        try bench.write(ShopExport.text, to: "shop.jsonl")
        var exitCodes: Set<ExitCode> = []
        let calls =
            ExitTable.onStores.values.filter { !$0.contains("STORE") } + [["doctor"], ["config", "show"]]
        #expect(calls.count > 45)
        for words in calls {
            for further in [["-v"], ["--json", "-v"]] {
                let outcome = bench.run(words.map { $0.replacing("NAME", with: "shop") } + further)
                exitCodes.insert(outcome.exit)
                for secret in [Self.password, Self.encoded, "w/rd", "w%2Frd"] {
                    #expect(!outcome.output.contains(secret), "\(words): \(outcome.output)")
                    #expect(!outcome.problems.contains(secret), "\(words): \(outcome.problems)")
                }
            }
        }
        return exitCodes
    }

    @Test(arguments: Place.allCases)
    func `No command prints the password if the server can't be reached`(place: Place) throws {
        try storePassword(place, host: "127.0.0.1", port: 1)
        #expect(try runAll().contains(.unavailable))
    }

    @Test(arguments: Place.allCases)
    func `No command prints the password if the server rejects it`(place: Place) throws {
        guard let server = TestPlace.server, let host = try StoreURL(server).hosts.first, let port = host.port
        else { return }
        try storePassword(place, host: host.name, port: port)
        let exitCodes = try runAll()
        #expect(!exitCodes.contains(.unavailable))
        // The exit code reports a wrong password, wherever it came from.
        #expect(!exitCodes.isDisjoint(with: [.permission, .configuration]))
    }

    /// libpq's environment variables and files belong to a process.
    @Test func `No process prints a password from a service file`() throws {
        let lines = [
            "[shop]", "host=127.0.0.1", "port=1", "user=app", "dbname=shop", "password=\(Self.password)",
        ]
        bench.variables["PGSERVICEFILE"] = try bench.write(
            lines.joined(separator: "\n") + "\n", to: "services")
        try bench.write(#"{"stores": {"a": "postgres:?service=shop"}}"#, to: "storectl.json")
        for words in [
            ["status", "-v"], ["doctor", "--json"], ["config", "show", "--origin"], ["migrate", "history"],
        ] {
            let said = Pipe()
            let process = try bench.start(words, output: said, problems: said)
            let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(
                !text.isEmpty && !text.contains(Self.password) && !text.contains("w/rd"), "\(words): \(text)")
            if words[0] == "status" { #expect(process.terminationStatus == 69, "\(text)") }
        }
    }
}
