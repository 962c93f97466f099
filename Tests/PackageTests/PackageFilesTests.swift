import Foundation
import StoreAdmin
import Testing

/// Keeps the files around the sources true to the package.
struct PackageFilesTests {
    private let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `The changelog speaks of the package's version`() throws {
        #expect(
            try lines("CHANGELOG.md").contains {
                $0.hasPrefix("## ") && $0.contains(StoreAdmin.packageVersion)
            })
    }

    @Test(arguments: [("README.md", 180), ("docs/ARCHITECTURE.md", 200)])
    func `A document stays short enough to be read`(path: String, limit: Int) throws {
        #expect(try lines(path).count <= limit)
    }

    @Test(arguments: 13...18)
    func `There is a service for each supported version of PostgreSQL`(major: Int) throws {
        let compose = try lines("docker-compose.yml")
        #expect(compose.contains("  postgres-\(major):"))
        #expect(compose.contains("    image: postgres:\(major)"))
    }

    @Test func `Every script that the documents name is there and can be run`() throws {
        let text = try ["README.md", "CONTRIBUTING.md", ".github/workflows/ci.yml"].flatMap(lines).joined(
            separator: "\n")
        let names = Set(text.matches(of: /(?:scripts|\.ci)\/[a-z][a-z.-]*/).map { String($0.output) })
        #expect(names.count > 5)
        for name in names {
            #expect(
                FileManager.default.isExecutableFile(atPath: root.appendingPathComponent(name).path),
                "\(name)")
        }
    }
}
