import ChildProcesses
import Foundation
import Testing

/// Runs the README's first program and its commands from top to bottom, and compares what they print and draw with the page.
struct ReadmeTests {
    @Test func `Every command of the README prints what it shows`() async throws {
        try await DocumentationPackage.build.value
        let readme = try await DocumentationPackage.readme.value
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: temporary) }
        let folder = temporary.appendingPathComponent("Games")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let programs = try DocumentationPackage.link(
            [("Games", DocumentationPackage.program), ("storectl", ChildProgram.url("storectl"))],
            in: temporary.appendingPathComponent("programs"))
        #expect(readme.runs.filter { $0.output != nil }.count == 2)
        var exports = ""
        for run in readme.runs {
            // A reader stays in one shell, so what a block exports holds for the next.
            let commands = "set -e\n\(exports)\(run.commands)\necho done"
            let printed = try await Tutorial.Run(place: run.place, commands: commands, output: nil)
                .printed(in: folder, programs: programs, server: nil, shownFolder: "/home/ann/Games")
            #expect(printed.hasSuffix("done"), "\(run.place): \(printed)")
            if let output = run.output {
                #expect(Self.masked(printed) == Self.masked(output + "\ndone"), "\(run.place)")
            }
            let lines = run.commands.split(separator: "\n").filter { $0.hasPrefix("export ") }
            exports += lines.map { "\($0)\n" }.joined()
        }
        let drawn = try String(contentsOf: folder.appendingPathComponent("games.svg"), encoding: .utf8)
        let image = try DocumentationPackage.image("games.svg")
        #expect(drawn == image, "make docs/images/games.svg with `storectl diagram`, as the README does")
    }

    @Test func `The package of the README has one program and the products that it imports`() async throws {
        let readme = try await DocumentationPackage.readme.value
        let manifest = try #require(readme.files["Package.swift"])
        let program = try #require(readme.files["Sources/main.swift"])
        let dump = try await DocumentedManifest.Dump(of: manifest, at: "README.md")
        #expect(dump.targets.map(\.name) == ["Games"])
        let imported = program.split(separator: "\n").filter { $0.hasPrefix("import ") }
        #expect(dump.products == Set(imported.map { "ContextCore.\($0.dropFirst("import ".count))" }))
    }

    @Test func `Sizes, times and versions of SQLite are not compared`() {
        let shown = "backend    SQLite 3.40.1\nsize       80 KiB\nlast save  2 at 2026-11-29T10:16:39.193200Z"
        #expect(Self.masked(shown) == "backend    SQLite VERSION\nsize       SIZE\nlast save  2 at TIME")
    }

    /// Replaces what differs from run to run, or from machine to machine.
    private static func masked(_ text: String) -> String {
        text.replacing(/SQLite \d+(\.\d+)+/, with: "SQLite VERSION")
            .replacing(/\d+(\.\d+)? (bytes|[KMG]iB)/, with: "SIZE")
            .replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "TIME")
    }
}
