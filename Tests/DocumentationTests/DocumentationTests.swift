import Foundation
import Testing

struct DocumentationTests {
    /// The product whose code only another package compiles, because it depends on other packages.
    private static let adapters = "ContextCore.StoreObservability"

    @Test func `Every block of Swift in the documents compiles`() async throws {
        try await DocumentationPackage.build.value
    }

    @Test func `The package manager accepts every part of a manifest in the documents`() async throws {
        let manifests = try DocumentedManifest.all()
        #expect(manifests.count >= 3)
        let products = Set(DocumentationPackage.modules.map { "ContextCore.\($0)" } + [Self.adapters])
        let traits: Set = ["SQLite", "Postgres", "Logging", "Metrics", "Tracing", "ServiceLifecycle"]
        for manifest in manifests {
            #expect(try await manifest.products().isSubset(of: products), "\(manifest)")
            #expect(manifest.traits.isSubset(of: traits), "\(manifest)")
        }
        #expect(manifests.contains { !$0.traits.isEmpty })
    }

    @Test func `Every block that another package compiles is a part of its file`() throws {
        let blocks = try DocumentationPackage.documents().flatMap(DocumentationPackage.blocks(of:))
        let parts = blocks.filter { $0.containingFile != nil && !$0.isBorrowed }
        #expect(!parts.isEmpty)
        for part in parts {
            let file = DocumentationPackage.root.appendingPathComponent(part.containingFile ?? "")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains(part.code + "\n"), "\(part.document):\(part.line)")
        }
    }

    @Test func `The article's backend passes the conformance suite`() async throws {
        try await DocumentationPackage.build.value
        let result = try await Subprocess.run(DocumentationPackage.backend.path, [])
        #expect(result.output == "kept\n")
        #expect(result.status == 0)
    }
}
