import ContextCore
import Foundation
import Testing

struct DateTests {
    @Test func `A stored date has the same microsecond`() {
        for microseconds: Int64 in [
            0, 1, -1, 978_307_200_000_001, 1_800_000_000_123_456, -62_135_596_800_000_000,
        ] {
            #expect(Date(microseconds: microseconds).microseconds == microseconds)
        }
    }
}
