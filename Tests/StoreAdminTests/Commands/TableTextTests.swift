import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The text of tables with rows.
struct TableTextTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Returns the lines of a call's output, with placeholders for times, digests and sizes.
    private func lines(_ words: String...) -> [String] {
        let output = bench.run(words).output
            .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#, with: "TIME")
            .replacing(#/[0-9a-f]{12}/#, with: "DIGEST").replacing(#/\d+ KiB/#, with: "SIZE")
            .replacing(#/ +/#, with: " ").replacing(#/─+/#, with: "─")
        return output.split(separator: "\n").map { $0.trimmingSpaces }
    }

    @Test(arguments: TestPlace.available)
    func `Counts have bars`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        #expect(
            lines("inspect", "counts") == [
                "entity objects", "─ ─ ─", "Game 2 █████████████▍", "Player 3 ████████████████████",
                "Referee 1 ██████▋", "Round 2 █████████████▍", "Sample 2 █████████████▍",
            ])
    }

    @Test(arguments: TestPlace.available)
    func `Saves are listed with their changes`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let lines = lines("history", "list")
        #expect(
            lines.prefix(2) == [
                "save date author context inserted updated deleted entities process pid",
                "─ ─ ─ ─ ─ ─ ─ ─ ─ ─",
            ])
        #expect(lines.contains { $0.hasPrefix("1 TIME storectl copy ") }, "\(lines)")
        #expect(lines.contains { $0.contains(" 2 0 0 Round ") }, "\(lines)")
    }

    @Test func `Backups are listed with their stores`() throws {
        _ = try bench.makeShop()
        #expect(bench.run("backup", "create", "--out", "b.sqlite").exit == .success)
        let lines = lines("backup", "list", "--folder", ".")
        #expect(lines.first == "file store date objects size sha256")
        #expect(
            lines.last?.hasPrefix("b.sqlite ") == true
                && lines.last?.hasSuffix(" TIME 10 SIZE DIGEST") == true, "\(lines)")
    }

    @Test(arguments: TestPlace.available)
    func `Migrations are listed with their plans`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let second = ShopExport.model.replacing(
            #""label":{"type""#, with: #""more":{"optional":true,"type":"string"},"label":{"type""#)
        for (name, model) in [("V1", ShopExport.model), ("V2", second)] {
            try bench.write(model, to: "\(name).json")
            #expect(bench.run("model", "freeze", name, "--model", "\(name).json").exit == .success)
        }
        #expect(bench.run("migrate", "new", "V1", "V2").exit == .success)
        #expect(bench.run("migrate", "apply", "--phase", "contract").exit == .success)
        let lines = lines("migrate", "history")
        #expect(lines.count == 3 && lines[0] == "migration date detail")
        #expect(lines[2].hasPrefix("V1-V2 TIME plan DIGEST"), "\(lines)")
    }
}
