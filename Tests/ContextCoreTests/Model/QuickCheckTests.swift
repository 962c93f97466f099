import Foundation
import Testing

@testable import ContextCore

struct QuickCheckTests {
    private static let types: [AttributeType] = [
        .bool, .int16, .int32, .int64, .float, .double, .decimal(precision: 3, scale: 1), .string, .data,
        .date, .uuid, .url, .codable, .composite([AttributeDescription("part", .string)]),
    ]

    private static let values: [StoredValue] = [
        .null, .bool(true), .int(0), .int(1 << 40), .double(0.1), .double(.nan), .double(.infinity),
        .decimal(12345), .string("a"), .string(""), .string("a\u{0}b"),
        .string("a text that is not kept in place \u{0}"), .string("a text that is not kept in place"),
        .data(Data([1])), .timestamp(microseconds: 0), .timestamp(microseconds: .max), .uuid(UUID()),
        .composite([.string("x")]),
    ]

    @Test(arguments: types, [true, false])
    func `Values accepted by the quick check violate no rule`(type: AttributeType, isOptional: Bool) {
        for rules in [[], [ValidationRule.range(minimum: .int(5), maximum: nil)]] {
            let validation = ValueValidation(
                AttributeDescription("x", type, isOptional: isOptional, rules: rules))
            for value in Self.values where validation.quick.accepts(value) {
                #expect(validation.failures(of: value).isEmpty)
            }
        }
    }

    @Test func `Values without rules are accepted by the quick check`() {
        let plain: [(StoredValue, AttributeType)] = [
            (.bool(true), .bool), (.int(.max), .int64), (.double(0.5), .double), (.string("a"), .string),
            (.data(Data()), .data), (.timestamp(microseconds: 0), .date), (.uuid(UUID()), .uuid),
        ]
        for (value, type) in plain {
            #expect(ValueValidation(AttributeDescription("x", type)).quick.accepts(value))
        }
    }
}
