import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// A project with the stores and files that the examples of a command assume: `dev`, `prod` and `test`, of which `dev` is the default.
struct ExampleProject {
    /// Words that mean something else on another machine, and what a test has instead.
    private static let substitutes = [
        "postgres://app@db/shop?schema=public": "foreign", "../ContextCore": "ContextCore",
    ]

    let bench: AdminBench
    private let setup: ExampleSetup

    /// - Parameter text: The examples, whose options decide whether the store `prod` is needed.
    init(_ place: TestPlace, _ setup: ExampleSetup, for text: String) throws {
        bench = try AdminBench()
        self.setup = setup
        for (name, contents) in setup.files {
            let folder = URL(fileURLWithPath: "\(bench.folder)/\(name)").deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try bench.write(contents, to: name)
        }
        if setup.hasCoreDataStore { _ = try CoreDataFixture(in: bench.folder).writeModel() }
        if let model = setup.model { bench.model = try ObjectModel(fileText: model, fileName: "model") }
        if setup.isEmpty { return }
        try makeStores(place, hasProd: !setup.lacksProd && (text + setup.calls.joined()).contains("prod"))
        try freezeVersions()
        for call in setup.calls { try succeed(ExampleCall(call).words) }
        // The store is protected only now, so that the calls above need no confirmation.
        if text.contains("--confirm prod") { try writeConfiguration(isProtected: true) }
    }

    private func makeStores(_ place: TestPlace, hasProd: Bool) throws {
        for name in ["dev", "prod", "test", "foreign"] {
            bench.variables["EXAMPLE_\(name)"] = place.freshURL()
        }
        try writeConfiguration(isProtected: false)
        try bench.write(
            "{\"model\":\(ExampleModels.first),\"schema\":\"storectl.export/1\"}\n" + ExampleModels.objects,
            to: "objects.jsonl")
        let names = hasProd ? ["dev", "prod"] : ["dev"]
        for name in names {
            try succeed(["data", "import", "objects.jsonl", "-s", name])
        }
        // The tables of another program, for `model import`.
        if place == .sqlite, setup.files["chinook.db"] != nil {
            try succeed([
                "sql", "--write", "CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", "-s",
                "sqlite:chinook.db",
            ])
        } else if setup.files["chinook.db"] != nil {
            let url = try #require(bench.variables["EXAMPLE_foreign"])
            let schema = try #require(try StoreURL(url).options["schema"])
            try RawStore(url, in: bench.folder).execute([
                "CREATE SCHEMA \(schema)",
                "CREATE TABLE \(schema).artist (id bigint PRIMARY KEY, name text NOT NULL)",
            ])
        }
    }

    private func writeConfiguration(isProtected: Bool) throws {
        let entries = ["dev", "prod", "test", "foreign"].map { name in
            let production = isProtected && name == "prod" ? #", "production": true"# : ""
            return #""\#(name)": {"url": {"env": "EXAMPLE_\#(name)"}\#(production)}"#
        }
        try bench.write(
            #"{"default": "dev", "stores": {\#(entries.joined(separator: ", "))}}"#, to: "storectl.json")
    }

    private func freezeVersions() throws {
        for (index, model) in setup.versions.enumerated() {
            let name = "V\(index + 1)"
            try bench.write(model, to: "\(name).json")
            try succeed(["model", "freeze", name, "--model", "\(name).json"])
            if index > 0 { try succeed(["migrate", "new", "V\(index)", name]) }
        }
    }

    private func succeed(_ words: [String]) throws {
        let outcome = bench.run(words)
        try #require(outcome.exit == .success, "\(words): \(outcome.output)\(outcome.problems)")
    }

    /// Runs an example, with its redirections of files in the project's folder.
    func run(_ example: String) throws -> AdminBench.Outcome {
        let call = ExampleCall(example)
        bench.lines =
            try call.input.map { try bench.read($0).split(separator: "\n").map(String.init) } ?? ["Game"]
        let outcome = bench.run(call.words.map { Self.substitutes[$0] ?? $0 } + setup.appended)
        if let file = call.output, !file.hasPrefix("/"), !file.hasPrefix("~") {
            try bench.write((call.appends ? (try? bench.read(file)) ?? "" : "") + outcome.output, to: file)
        }
        return outcome
    }
}
