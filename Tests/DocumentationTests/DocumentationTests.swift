import Foundation
import Testing

struct DocumentationTests {
    @Test func `Every block of Swift in the documents compiles`() async throws {
        try await DocumentationPackage.build.value
    }

    @Test func `The package manager accepts every part of a manifest in the documents`() async throws {
        let manifests = try DocumentedManifest.all()
        #expect(manifests.count >= 3)
        let products = Set(DocumentationPackage.modules.map { "ContextCore.\($0)" })
        for manifest in manifests {
            #expect(try await manifest.products().isSubset(of: products), "\(manifest)")
            #expect(manifest.traits.isSubset(of: ["SQLite", "Postgres"]), "\(manifest)")
        }
        #expect(manifests.contains { !$0.traits.isEmpty })
    }

    @Test func `The article's backend passes the conformance suite`() async throws {
        try await DocumentationPackage.build.value
        let result = try await Subprocess.run(DocumentationPackage.backend.path, [])
        #expect(result.output == "kept\n")
        #expect(result.status == 0)
    }
}
