import ChildProcesses
import Foundation
import Testing

/// The package that `storectl new` creates, as its user runs it.
struct NewPackageTests {
    @Test func `A new package builds, passes its tests, and its program runs twice`() async throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let created = try await Subprocess.run(
            ChildProgram.url("storectl").path,
            ["new", "Fresh", "--package", DocumentationPackage.root.path], in: folder)
        try #require(created.status == 0, "\(created.output)")
        let package = folder.appendingPathComponent("Fresh")
        let programs = try await DocumentationPackage.test(package)
        for output in ["1. Hello\n", "1. Hello\n2. Hello\n"] {
            let run = try await Subprocess.run(programs.path + "/Fresh", [], in: package)
            #expect(run.output == output)
            #expect(run.status == 0)
        }
        let count = try await Subprocess.run(programs.path + "/FreshTool", ["count", "Note"], in: package)
        #expect(count.output == "2\n")
        let check = try await Subprocess.run(programs.path + "/FreshTool", ["check"], in: package)
        #expect(check.output == "no problems found\n")
    }
}
