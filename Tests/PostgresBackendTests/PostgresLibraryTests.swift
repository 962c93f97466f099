#if Postgres
import Testing

@testable import PostgresBackend

struct PostgresLibraryTests {
    @Test(arguments: [(100_000, "10.0"), (150_018, "15.18"), (180_001, "18.1")])
    func `A version number is printed as PostgreSQL prints it`(number: Int, name: String) {
        #expect(PostgresLibrary.name(ofVersion: number) == name)
    }

    @Test func `The linked libpq is a supported version`() throws {
        let major = try #require(PostgresLibrary.version.split(separator: ".").first.flatMap { Int($0) })
        #expect(major >= 13)
    }
}
#endif
