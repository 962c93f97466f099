import Foundation
import Testing

struct DocumentationTests {
    @Test func `Every block of Swift in the documents compiles`() async throws {
        try await DocumentationPackage.build.value
    }

    @Test func `The first program of the README runs and finds its leader`() async throws {
        try await DocumentationPackage.build.value
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try await Subprocess.run(DocumentationPackage.program.path, [], in: folder)
        #expect(result.output == "[\"Ann\"]\n")
        #expect(result.status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("games.sqlite").path))
    }

    @Test func `The backend of the article keeps what every backend must`() async throws {
        try await DocumentationPackage.build.value
        let result = try await Subprocess.run(DocumentationPackage.backend.path, [])
        #expect(result.output == "kept\n")
        #expect(result.status == 0)
    }
}
