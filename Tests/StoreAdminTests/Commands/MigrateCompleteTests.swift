import ContextCore
import Testing

@testable import StoreAdmin

/// `migrate complete`, which finishes only the migration in progress, and its messages about changed files.
struct MigrateCompleteTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// A model in which the type of the ratio changes without a conversion.
    private static let undecided = ShopVersions.second.replacing(
        #""ratio":{"optional":true,"type":"double"}"#, with: #""ratio":{"optional":true,"type":"int16"}"#)

    private func version() -> String {
        String(bench.run("migrate", "status").output.prefix { $0 != "\n" })
    }

    @Test(arguments: TestPlace.available)
    func `A migration in progress is finished, and the next waits for its version`(place: TestPlace) throws {
        try bench.makeProject(place)
        #expect(bench.run("migrate", "apply", "--to", "V2").exit == .success)
        try bench.freeze("V3", ShopVersions.third, after: "V2", losing: "Sample.ratio")
        let complete = bench.run("migrate", "complete", "--backup", "none")
        #expect(complete.exit == .success, "\(complete.problems)")
        #expect(version() == "version  V2")
        #expect(bench.run("query", "Sample", "-f", "ratio", "-o", "csv").output.contains("0.1"))
        let again = bench.run("migrate", "complete")
        #expect(
            again.output
                == "There is no unfinished migration. V2-V3 is pending: run 'storectl migrate apply', or add --to with a version.\n"
        )
        #expect(version() == "version  V2")
        let further = bench.run("migrate", "complete", "--to", "V3", "--backup", "none")
        #expect(further.exit == .success, "\(further.problems)")
        #expect(version() == "version  V3")
        #expect(bench.run("migrate", "complete").output == "There is no unfinished migration.\n")
    }

    @Test(arguments: TestPlace.available)
    func `Nothing is finished if a requested later version is undecided`(place: TestPlace) throws {
        try bench.makeProject(place)
        #expect(bench.run("migrate", "apply", "--to", "V2").exit == .success)
        try bench.freeze("V3", Self.undecided, after: "V2")
        let before = bench.run("migrate", "status").output
        #expect(before.contains("started  V1-V2"))
        let refused = bench.run("migrate", "complete", "--to", "V3", "--backup", "none")
        #expect(refused.exit == .refused)
        #expect(refused.problems.lowercased().contains("nothing was changed"), "\(refused.problems)")
        #expect(bench.run("migrate", "status").output == before)
        #expect(bench.run("migrate", "complete", "--backup", "none").exit == .success)
        #expect(version() == "version  V2")
    }

    @Test(arguments: TestPlace.available)
    func `An error after a finished part reports that part`(place: TestPlace) throws {
        try bench.makeProject(place)
        #expect(bench.run("migrate", "apply", "--to", "V2").exit == .success)
        try bench.freeze("V3", Self.undecided, after: "V2")
        let refused = bench.run("migrate", "apply", "--phase", "contract", "--backup", "none")
        #expect(refused.exit == .refused)
        #expect(version() == "version  V2")
        #expect(!refused.problems.lowercased().contains("nothing was changed"), "\(refused.problems)")
        #expect(
            refused.problems.contains("V1-V2 was finished, and nothing after that was changed"),
            "\(refused.problems)")
    }

    @Test func `A user who declines the second part sees the result of the first`() throws {
        try bench.makeProject(.sqlite)
        #expect(bench.run("migrate", "apply", "--to", "V2").exit == .success)
        try bench.freeze("V3", ShopVersions.third, after: "V2", losing: "Sample.ratio")
        bench.isTerminal = true
        bench.lines = ["y", "n"]
        let declined = bench.run("migrate", "complete", "--to", "V3", "--backup", "none")
        #expect(declined.exit == .refused)
        #expect(declined.problems.contains("V1-V2 was finished, and nothing after that was changed."))
        #expect(version() == "version  V2")
    }

    @Test func `The status has a version, or none, and the whole fingerprint`() throws {
        try bench.makeProject(.sqlite)
        let fingerprint = try ObjectModel(fileText: ShopVersions.first).fingerprint
        #expect(
            bench.run("migrate", "status").output.hasPrefix("version  V1\nmodel    \(fingerprint)\n"))
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        let unknown = bench.run("migrate", "status", "--project", "elsewhere").output
        #expect(
            unknown.hasPrefix("version  unknown\nmodel    \(fingerprint)\n"), "\(unknown)")
    }

    @Test func `An application's own tool is named in suggested commands`() throws {
        _ = try bench.makeShop()
        bench.model = try ObjectModel(fileText: ShopVersions.second)
        bench.toolName = "shopctl"
        let status = bench.run("migrate", "status")
        #expect(status.output.hasSuffix("next     shopctl migrate plan\n"), "\(status.output)")
        #expect(bench.run("status").output.contains("next       shopctl migrate plan"))
        #expect(bench.run("xyzzy").problems.contains("Run 'shopctl help'"))
        let applied = bench.run("migrate", "apply", "--phase", "validate")
        #expect(applied.output.contains("'shopctl migrate complete'"), "\(applied.output)")
    }
}
