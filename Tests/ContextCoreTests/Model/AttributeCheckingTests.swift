import ContextCore
import Foundation
import Testing

private struct Sealed: AttributeTransformer {
    static let name = "sealed"
    static let storedType = AttributeType.data
    static let placeholder = ""
    func storedValue(of value: String) -> StoredValue { .data(Data(value.utf8)) }
    func value(from stored: StoredValue) -> String { "\(stored)" }
}

struct AttributeCheckingTests {
    private func problems(_ attribute: AttributeDescription) -> [String] {
        ModelCheckingTests.problems([EntityDescription("Game", attributes: [attribute])])
    }

    private func part(_ name: String, _ type: AttributeType) -> AttributeDescription {
        AttributeDescription(name, type)
    }

    // MARK: Types

    @Test(arguments: [(0, 0), (39, 0), (5, 6), (5, -1)])
    func `A decimal's digits have bounds`(precision: Int, scale: Int) {
        let type = AttributeType.decimal(precision: precision, scale: scale)
        let sentence =
            "A decimal number has a precision from 1 to 38 and a scale from 0 to its precision, not \(precision) and \(scale): "
            + "correct them."
        #expect(problems(part("x", type)) == ["Game.x: \(sentence)"])
        #expect(problems(part("c", .composite([part("x", type)]))) == ["Game.c.x: \(sentence)"])
    }

    @Test func `A composite has parts, which are simple attributes`() {
        #expect(
            problems(part("c", .composite([])))
                == ["Game.c: A composite needs at least one part: declare one."])
        #expect(
            problems(part("c", .composite([part("d", .composite([part("e", .bool)]))])))
                == ["Game.c.d: A composite can't be part of another: declare its parts one by one."])
        #expect(
            problems(part("c", .composite([AttributeDescription("d", .bool, storage: .transient)]))) == [
                "Game.c.d: A composite's part is stored with it, so it can't be transient or derived: move it out of the "
                    + "composite."
            ])
        #expect(
            problems(part("c", .composite([AttributeDescription("d", .data, externalThreshold: 9)]))) == [
                "Game.c.d: Transformers, external storage and preservation on deletion apply to whole attributes only: move the part "
                    + "out of the composite."
            ])
    }

    @Test func `An optional composite has a required part`() {
        let type = AttributeType.composite([AttributeDescription("city", .string, isOptional: true)])
        #expect(problems(AttributeDescription("c", type)) == [])
        #expect(
            problems(AttributeDescription("c", type, isOptional: true)) == [
                "Game.c: An optional composite needs a required part, because a store can't distinguish nil from a composite whose "
                    + "parts are all nil: make one part required, or the composite."
            ])
    }

    // MARK: Defaults

    @Test(arguments: [
        (AttributeType.int16, StoredValue.string("a"), "must be an integer, not text"),
        (.int16, .int(40_000), "must fit a 16-bit integer"),
        (.double, .double(.nan), "must be a number, not NaN"),
        (
            .decimal(precision: 2, scale: 1), .decimal(10),
            "must have at most 1 digits before and 1 after the decimal point"
        ),
        (.string, .null, "must have a value"), (.codable, .string("{"), "must be JSON text"),
        (.string, .string("\0"), "must not contain the character NUL (U+0000)"),
    ])
    func `A default is a value that can be saved`(type: AttributeType, value: StoredValue, rule: String) {
        #expect(
            problems(AttributeDescription("x", type, default: .value(value)))
                == ["Game.x: Its default \(rule): correct it."])
    }

    @Test func `A default satisfies the attribute's rules`() {
        #expect(
            problems(
                AttributeDescription(
                    "x", .int64, default: .value(.int(0)), rules: [.range(minimum: .int(1), maximum: nil)]))
                == ["Game.x: Its default must be at least 1: correct it."])
        let type = AttributeType.composite([AttributeDescription("city", .string)])
        #expect(
            problems(AttributeDescription("x", type, default: .value(.composite([.int(1)]))))
                == ["Game.x: The part “city” of its default must be text, not an integer: correct it."])
    }

    @Test func `A value generated on insertion matches the attribute`() {
        #expect(problems(AttributeDescription("x", .date, default: .now)) == [])
        #expect(problems(AttributeDescription("x", .uuid, default: .newUUID)) == [])
        #expect(
            problems(AttributeDescription("x", .string, default: .now)) == [
                "Game.x: The default .now is a date, and the attribute is text: remove the default, or change the type."
            ])
        #expect(
            problems(AttributeDescription("x", .string, default: .newUUID)) == [
                "Game.x: A new UUID doesn't fit an attribute that is text: remove the default, or change the type."
            ])
    }

    @Test func `A derived attribute has no default and no rules`() {
        #expect(
            problems(AttributeDescription("x", .date, default: .now, storage: .derived(.now)))
                == ["Game.x: The store computes the attribute, so it can't have a default: remove it."])
        #expect(
            problems(
                AttributeDescription(
                    "x", .date, storage: .derived(.now),
                    rules: [.range(minimum: .timestamp(microseconds: 0), maximum: nil)]))
                == ["Game.x: The store computes the attribute, so it can't have rules: remove them."]
        )
    }

    // MARK: Rules

    @Test(arguments: [
        (
            AttributeType.string, ValidationRule.range(minimum: .int(1), maximum: nil),
            "A range is for numbers and dates, and the attribute is text: remove the rule."
        ),
        (
            .int64, .length(minimum: 1, maximum: nil),
            "A length is for text and data, and the attribute is a 64-bit integer: remove the rule."
        ),
        (.data, .pattern("a"), "A pattern is for text, and the attribute is data: remove the rule."),
        (
            .string, .pattern("(a"),
            "The pattern “(a” can't be read as a regular expression: a “(” has no “)”. Correct the pattern."
        ),
        (
            .int64, .range(minimum: .string("a"), maximum: nil),
            "A bound of its range must be an integer, not text: correct it."
        ),
        (
            .int64, .range(minimum: .int(2), maximum: .int(1)),
            "The minimum of its range is greater than the maximum, so no value could be saved: correct them."
        ),
        (
            .int64, .range(minimum: nil, maximum: nil),
            "A range needs a minimum or a maximum: give one, or remove the rule."
        ),
        (
            .string, .length(minimum: nil, maximum: nil),
            "A length needs a minimum or a maximum: give one, or remove the rule."
        ),
        (.string, .length(minimum: -1, maximum: nil), "A length can't be negative: correct it."),
        (
            .string, .length(minimum: 3, maximum: 2),
            "The minimum length is greater than the maximum length, so no value could be saved: correct them."
        ),
    ])
    func `A rule is satisfiable for its type`(type: AttributeType, rule: ValidationRule, sentence: String) {
        #expect(problems(AttributeDescription("x", type, rules: [rule])) == ["Game.x: \(sentence)"])
        let composite = AttributeType.composite([AttributeDescription("x", type, rules: [rule])])
        #expect(problems(AttributeDescription("c", composite)) == ["Game.c.x: \(sentence)"])
    }

    @Test func `There is one rule of a kind`() {
        #expect(
            problems(AttributeDescription("x", .string, rules: [.pattern("a"), .pattern("b")]))
                == ["Game.x: It has two rules of the same kind: combine them."])
    }

    // MARK: External storage and transformers

    @Test func `Only stored text, data and codable values can be external`() {
        #expect(problems(AttributeDescription("x", .data, externalThreshold: 1)) == [])
        #expect(
            problems(AttributeDescription("x", .int64, externalThreshold: 10)) == [
                "Game.x: Only text, data and codable values can have external storage, not a 64-bit integer: remove the option."
            ])
        #expect(
            problems(AttributeDescription("x", .data, storage: .transient, externalThreshold: 10))
                == [
                    "Game.x: A transient or derived attribute can't have external storage: remove the option."
                ])
        #expect(
            problems(AttributeDescription("x", .data, externalThreshold: 0)) == [
                "Game.x: The threshold of external storage must be at least 1 byte, not 0: correct it."
            ])
    }

    @Test func `A transformer is registered with the model and matches the attribute`() throws {
        let attribute = AttributeDescription("x", .data, transformerName: "sealed")
        #expect(
            problems(attribute) == [
                "Game.x: The model has no transformer “sealed”: pass it when you create the model."
            ])
        let entity = EntityDescription("Game", attributes: [attribute])
        let model = try ObjectModel(entities: [entity], transformers: [Sealed()])
        #expect(model.layouts[0].properties[0].transformer is Sealed)

        let text = EntityDescription(
            "Game", attributes: [AttributeDescription("x", .string, transformerName: "sealed")])
        let error = #expect(throws: ModelError.self) {
            try ObjectModel(entities: [text], transformers: [Sealed()])
        }
        #expect(
            error?.problems.map(\.message) == [
                "The transformer “sealed” stores data, but the attribute is text: use the same type for both."
            ])
    }

    @Test func `Composites and derived attributes have no transformer`() {
        let composite = AttributeType.composite([AttributeDescription("city", .string)])
        #expect(
            problems(AttributeDescription("x", composite, transformerName: "sealed")) == [
                "Game.x: A composite is stored in one column per part, so it can't have a transformer: remove it, or change the type."
            ])
        #expect(
            problems(AttributeDescription("x", .date, storage: .derived(.now), transformerName: "sealed"))
                == [
                    "Game.x: The store computes the attribute, so it can't have a transformer: remove the transformer."
                ])
    }
}
