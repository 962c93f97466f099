import ContextCore
import Foundation
import Testing

struct StoredValueTextTests {
    @Test func `A value is printed as plain text`() throws {
        let uuid = UUID()
        let values: [(StoredValue, String)] = [
            (.null, "nil"), (.bool(true), "true"), (.int(-12), "-12"), (.double(2.5), "2.5"),
            (.decimal(try #require(Decimal(string: "8395.78"))), "8395.78"), (.string("Ann"), "Ann"),
            (.data(Data([1, 2])), "2 bytes"),
            (.timestamp(microseconds: 250_000), "1970-01-01T00:00:00.250000Z"),
            (.uuid(uuid), uuid.uuidString),
            (.composite([.string("Bern"), .null, .int(7)]), #"("Bern", nil, 7)"#),
        ]
        for (value, text) in values { #expect("\(value)" == text) }
    }

    @Test func `In a list, text has quotation marks`() {
        let values: [StoredValue] = [.string("12"), .int(12), .null, .string("a \"b\"")]
        #expect("\(values)" == #"["12", 12, nil, "a \"b\""]"#)
    }
}
