#if Postgres
import Testing

@testable import PostgresBackend

struct PostgresLibraryTests {
    @Test(arguments: [(100_000, "10.0"), (150_018, "15.18"), (180_001, "18.1")])
    func `A version number is spelt as PostgreSQL spells it`(number: Int, name: String) {
        #expect(PostgresLibrary.name(ofVersion: number) == name)
    }

    @Test func `The linked libpq is one that still gets fixes`() throws {
        let major = try #require(PostgresLibrary.version.split(separator: ".").first.flatMap { Int($0) })
        #expect(major >= 13)
    }
}
#endif
