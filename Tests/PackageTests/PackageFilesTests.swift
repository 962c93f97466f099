import Foundation
import StoreAdmin
import Testing

/// Tests that the files around the sources agree with the package.
struct PackageFilesTests {
    private let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `The first section of the changelog describes the package's version`() throws {
        let heading = try lines("CHANGELOG.md").first { $0.hasPrefix("## ") }
        #expect(heading?.hasPrefix("## \(StoreAdmin.packageVersion) (") == true)
    }

    @Test(arguments: ["README.md", "Sources/ContextCore/ContextCore.docc/setting-up-a-project.md"])
    func `Documents name the package's version in dependencies`(path: String) throws {
        let text = try lines(path).joined(separator: "\n")
        let versions = text.matches(of: /from: "([^"]+)"/).map { String($0.output.1) }
        #expect(!versions.isEmpty && versions.allSatisfy { $0 == StoreAdmin.packageVersion }, "\(versions)")
    }

    @Test func `The Swift Package Index documents every library`() throws {
        let libraries = try lines("Package.swift").compactMap {
            $0.firstMatch(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
        }
        let targets = try #require(lines(".spi.yml").first { $0.contains("documentation_targets:") })
        #expect(libraries.count >= 5)
        #expect(targets.hasSuffix("[\(libraries.joined(separator: ", "))]"))
    }

    @Test(arguments: ["Examples", "Examples/OwnBackend", "Benchmarks"])
    func `Packages that depend on this one have its platforms`(folder: String) throws {
        func platforms(_ path: String) throws -> String? {
            try lines(path).first { $0.contains("platforms: [") }?.trimmingCharacters(in: .whitespaces)
        }
        let own = try #require(try platforms("Package.swift"))
        #expect(try platforms("\(folder)/Package.swift") == own)
    }

    @Test(arguments: [("README.md", 150), ("docs/ARCHITECTURE.md", 200)])
    func `Documents stay within their size limit`(path: String, limit: Int) throws {
        #expect(try lines(path).count <= limit)
    }

    @Test(arguments: 13...18)
    func `There is a service for each supported version of PostgreSQL`(major: Int) throws {
        let compose = try lines("docker-compose.yml")
        #expect(compose.contains("  postgres-\(major):"))
        #expect(compose.contains("    image: postgres:\(major)"))
    }

    @Test func `Every script in the documents exists and is executable`() throws {
        let workflows = ["ci", "platforms", "release", "site"].map { ".github/workflows/\($0).yml" }
        let documents = ["README.md", "CONTRIBUTING.md", "Benchmarks/README.md"] + workflows
        let text = try documents.flatMap(lines).joined(
            separator: "\n")
        let names = Set(text.matches(of: /(?:scripts|\.ci)\/[a-z][a-z.-]*/).map { String($0.output) })
        #expect(names.count > 5)
        for name in names {
            #expect(
                FileManager.default.isExecutableFile(atPath: root.appendingPathComponent(name).path),
                "\(name)")
        }
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md", "Benchmarks/README.md", "Examples/README.md"])
    func `Every file that a document links to is there`(document: String) throws {
        let folder = root.appendingPathComponent(document).deletingLastPathComponent()
        let links = try lines(document).joined(separator: "\n").matches(of: /\]\(([^)#]+)(#[^)]*)?\)/)
            .map { String($0.output.1) }.filter { !$0.contains("://") }
        for link in links {
            let path = folder.appendingPathComponent(link).standardizedFileURL.path
            #expect(FileManager.default.fileExists(atPath: path), "\(link)")
        }
    }

    @Test func `The chart of the benchmarks has the figures of its table`() throws {
        let section = try lines("Benchmarks/README.md").drop { $0 != "## The chart" }.dropFirst()
            .prefix { !$0.hasPrefix("## ") }
        let figures = section.filter { $0.hasPrefix("| ") }.dropFirst(2).flatMap { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.dropFirst(2).prefix(2)
        }
        let chart = try lines("docs/images/benchmarks.svg").joined(separator: "\n")
        #expect(figures.count == 12)
        #expect(chart.matches(of: />(\d\.\d\d)<\/text>/).map { String($0.output.1) } == figures)
        let process = Process()
        process.executableURL = root.appendingPathComponent("scripts/charts.sh")
        process.arguments = ["--check"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "run scripts/charts.sh")
    }

    /// A report as `swift test` writes it: names are not escaped, and a test with arguments is one element with all its issues.
    @Test func `Tests are counted once, however many of their cases fail`() throws {
        let report = """
            <testsuites>
              <testsuite name="TestResults" errors="0" tests="3" failures="5" skipped="1" time="0.002455133">
                <testcase classname="A.B" name="`p has <testcase cases> & fails`(_:)" time="0.001581597" >
                  <failure message="Expectation failed: (n &#8594; 0) == 7 (error)" />
                  <failure message="Expectation failed: (n &#8594; 1) == 7 (error)" />
                  <failure message="Expectation failed: (n &#8594; 2) == 7 (error): two&#10;lines" />
                  <failure message="Expectation failed: (n &#8594; 3) == 7 (error)" />
                </testcase>
                <testcase classname="A.B" name="no()" >
                  <skipped>not now</skipped>
                </testcase>
                <testcase classname="A.B" name="ok()" time="0.00150949" />
                <testcase classname="A.B" name="fine()" time="0.00150949" />
              </testsuite>
            </testsuites>
            """
        let counts = try self.counts([report])
        #expect(counts == "2 passed, 1 failed, 1 skipped, 1 issues outside of tests\n")
        let quiet = report.replacing("failures=\"5\"", with: "failures=\"4\"")
        #expect(try self.counts([quiet, quiet]) == "4 passed, 2 failed, 2 skipped\n")
        #expect(try self.counts([]) == "0 passed, 0 failed, 0 skipped\n")
    }

    /// Returns the totals that `scripts/test` computes from reports.
    private func counts(_ reports: [String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, report) in reports.enumerated() {
            try report.write(
                to: folder.appendingPathComponent("\(number).xml"), atomically: true, encoding: .utf8)
        }
        let (process, output) = (Process(), Pipe())
        process.executableURL = root.appendingPathComponent("scripts/support/counts.sh")
        process.arguments = [folder.path]
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: said, as: UTF8.self)
    }
}
