import Testing

struct DocumentationTests {
    @Test func `Every block of Swift in the documents compiles`() async throws {
        try await DocumentationPackage.build.value
    }
}
