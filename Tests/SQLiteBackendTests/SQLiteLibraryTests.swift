#if SQLite
import SQLiteBackend
import Testing

struct SQLiteLibraryTests {
    @Test func `The linked SQLite is a tested version`() {
        let numbers = SQLiteLibrary.version.split(separator: ".").compactMap { Int($0) }
        #expect(numbers.count >= 3)
        #expect(!numbers.lexicographicallyPrecedes([3, 40]))
    }
}
#endif
