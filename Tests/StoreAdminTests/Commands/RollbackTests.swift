import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// Backups of the data that a rollback of a migration removes.
struct RollbackTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available)
    func `Data of newer programs is backed up before a rollback`(place: TestPlace) throws {
        try bench.makeProject(place)
        #expect(bench.run("migrate", "apply").exit == .success)
        #expect(bench.run("sql", "--write", "UPDATE sample SET more = 'kept'").exit == .success)
        // If the rollback is refused, nothing is copied.
        #expect(bench.run("migrate", "rollback").exit == .refused)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/Backups"))
        let back = try bench.json("migrate", "rollback", "--accept-loss", "Sample.more")
        guard case .array(let backups)? = back["backups"], case .string(let path)? = backups.first else {
            Issue.record("there is no backup: \(back)")
            return
        }
        #expect(backups.count == 1 && path.hasPrefix(bench.folder + "/Backups/shop-"))
        #expect(bench.run("migrate", "status").output.hasPrefix("version  V1\n"))
        let kept = bench.run("query", "Sample", "-f", "more", "-o", "csv", "-s", "sqlite:\(path)")
        #expect(kept.output.contains("kept"), "\(kept.problems)")
        #expect(bench.run("backup", "verify", path).exit == .success)
    }

    @Test(arguments: TestPlace.available)
    func `A rejected rollback makes no backup`(place: TestPlace) throws {
        try bench.makeProject(place)
        #expect(bench.run("migrate", "apply").exit == .success)
        for _ in 0..<2 {
            for words in [[], ["--backup", "copy.sqlite"]] {
                let outcome = bench.run(["migrate", "rollback", "--accept-loss", "Sample.mroe"] + words)
                #expect(outcome.exit == .refused)
                #expect(
                    outcome.problems.contains(
                        "The rollback of V1-V2 was refused, because programs of the newer version may have saved data in Sample.more."
                    ), "\(outcome.problems)"
                )
            }
        }
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/Backups"))
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/copy.sqlite"))
    }

    @Test(arguments: TestPlace.available)
    func `If no data can be lost, no backup is reported`(place: TestPlace) throws {
        try bench.makeProject(place)
        try bench.freeze("V3", ShopVersions.third, after: "V2", losing: "Sample.ratio")
        // A stage that only the application's tool has.
        bench.stages = [
            "V2": [MigrationStage("Sample", filling: ["more"]) { _ in throw CancellationError() }]
        ]
        let stopped = bench.run("migrate", "apply", "--to", "V2")
        #expect(stopped.exit != .success)
        let back = bench.run("migrate", "rollback", "--backup", "copy.sqlite")
        #expect(back.exit == .success, "\(back.problems)")
        #expect(back.problems.contains("no backup is made"), "\(back.problems)")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/copy.sqlite"))
    }

    @Test(arguments: TestPlace.available)
    func `A rollback's backup has the given path, or is disabled`(place: TestPlace) throws {
        try bench.makeProject(place)
        let words = ["migrate", "rollback", "--accept-loss", "Sample.more", "--backup"]
        #expect(bench.run("migrate", "apply").exit == .success)
        #expect(bench.run(words + ["none"]).exit == .success)
        #expect(bench.run("migrate", "apply").exit == .success)
        #expect(bench.run(words + ["last.sqlite"]).exit == .success)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/Backups"))
        #expect(bench.run("query", "Sample", "-f", "more", "-s", "sqlite:last.sqlite").exit == .success)
    }
}
