import ContextCore
import Foundation
import Testing

struct ValueValidationTests {
    private func rules(
        _ value: StoredValue, _ type: AttributeType, isOptional: Bool = false, _ rules: ValidationRule...
    ) -> [ValueFailure.Rule] {
        ValueValidation(AttributeDescription("x", type, isOptional: isOptional, rules: rules))
            .failures(of: value).map(\.rule)
    }

    @Test func `A null value violates only the rule of a required attribute`() {
        #expect(rules(.null, .string) == [.required])
        #expect(rules(.null, .string, isOptional: true) == [])
        #expect(
            rules(.null, .string, isOptional: true, .length(minimum: 1, maximum: nil), .pattern("a")) == [])
    }

    @Test(arguments: [
        (StoredValue.bool(true), AttributeType.bool), (.int(1), .int16), (.int(1), .int32), (.int(1), .int64),
        (.double(0.5), .float), (.double(0.1), .double), (.double(.infinity), .double),
        (.double(.infinity), .float),
        (.decimal(1), .decimal(precision: 3, scale: 1)), (.string("a"), .string), (.data(Data()), .data),
        (.timestamp(microseconds: 0), .date), (.uuid(UUID()), .uuid), (.string("https://example.com"), .url),
        (.string("[1]"), .codable),
    ])
    func `A value of the attribute's type passes, and one of another doesn't`(
        value: StoredValue, type: AttributeType
    ) {
        #expect(rules(value, type) == [])
        #expect(rules(.composite([]), type) == [.type])
        #expect(rules(value == .bool(true) ? .int(1) : .bool(true), type) == [.type])
    }

    @Test(arguments: [
        (StoredValue.int(32_767), AttributeType.int16, true), (.int(32_768), .int16, false),
        (.int(-32_768), .int16, true), (.int(-32_769), .int16, false),
        (.int(2_147_483_647), .int32, true), (.int(2_147_483_648), .int32, false),
        (.int(.max), .int64, true), (.int(.min), .int64, true),
        (.double(0.1), .float, false), (.double(1e300), .float, false), (.double(16_777_216), .float, true),
    ])
    func `A number must fit its type`(value: StoredValue, type: AttributeType, fits: Bool) {
        #expect(rules(value, type) == (fits ? [] : [.capacity]))
    }

    @Test func `NaN is refused`() {
        #expect(rules(.double(.nan), .double) == [.notANumber])
        #expect(rules(.double(.nan), .float) == [.notANumber])
        #expect(rules(.decimal(.nan), .decimal(precision: 38, scale: 10)) == [.notANumber])
    }

    @Test func `The character NUL is refused in text, in URLs and inside JSON`() {
        #expect(rules(.string("a\0b"), .string) == [.containsNUL])
        #expect(rules(.string("https://example.com/\0"), .url) == [.containsNUL])
        #expect(rules(.string(#"{"a": ["\u0000"]}"#), .codable) == [.containsNUL])
        #expect(rules(.string(#"{"a": ["\\u0000"]}"#), .codable) == [])
    }

    @Test(arguments: [
        ("999.99", true), ("1000", false), ("-999.99", true), ("-1000", false), ("0.01", true),
        ("0.001", false),
        ("1.10", true), ("0", true),
    ])
    func `A decimal number has no more digits than declared`(text: String, fits: Bool) throws {
        let number = try #require(Decimal(string: text))
        #expect(rules(.decimal(number), .decimal(precision: 5, scale: 2)) == (fits ? [] : [.digits]))
    }

    @Test func `Zeros at a decimal number's end don't count`() {
        let number = Decimal(sign: .plus, exponent: -4, significand: 12_300)
        #expect(rules(.decimal(number), .decimal(precision: 5, scale: 2)) == [])
        #expect(rules(.decimal(number / 10), .decimal(precision: 5, scale: 2)) == [.digits])
    }

    @Test func `Thirty-eight digits fit and thirty-nine don't`() throws {
        let most = try #require(Decimal(string: String(repeating: "9", count: 38)))
        #expect(rules(.decimal(most), .decimal(precision: 38, scale: 0)) == [])
        #expect(rules(.decimal(most + 1), .decimal(precision: 38, scale: 0)) == [.digits])
    }

    @Test func `A timestamp is within the range that every store supports`() {
        #expect(rules(.timestamp(microseconds: -210_866_803_200_000_000), .date) == [])
        #expect(rules(.timestamp(microseconds: -210_866_803_200_000_001), .date) == [.dateRange])
        #expect(rules(.timestamp(microseconds: .max), .date) == [.dateRange])
        #expect(rules(Date.distantPast.storedValue, .date) == [])
        #expect(rules(Date.distantFuture.storedValue, .date) == [])
        #expect(rules(Date(timeIntervalSince1970: 1e30).storedValue, .date) == [.dateRange])
    }

    @Test func `Invalid URLs and invalid JSON are rejected`() {
        #expect(rules(.string(""), .url) == [.url])
        #expect(rules(.string("{"), .codable) == [.json])
        #expect(rules(.string(#"{"a":1,"a":2}"#), .codable) == [.json])
    }

    @Test func `Both bounds of a range belong to it`() {
        let range = ValidationRule.range(minimum: .int(1), maximum: .int(3))
        #expect((0...4).map { rules(.int($0), .int64, range) } == [[.minimum], [], [], [], [.maximum]])
        #expect(rules(.double(0.5), .double, .range(minimum: nil, maximum: .double(0.25))) == [.maximum])
        #expect(
            rules(.decimal(2), .decimal(precision: 9, scale: 0), .range(minimum: .decimal(3), maximum: nil))
                == [.minimum])
        #expect(
            rules(
                .timestamp(microseconds: 5), .date, .range(minimum: .timestamp(microseconds: 6), maximum: nil)
            ) == [.minimum])
    }

    @Test func `A literal bound is rounded like the attribute's type`() throws {
        let entity = Entity("Cup") {
            Attribute("price", .decimal(precision: 9, scale: 2)).range(0.1...0.3)
            Attribute("weight", .float).range(0.1...0.3)
            Attribute("size", .double).range(0.1...0.3)
        }
        let model = try ObjectModel { entity }
        func failures(_ name: String, _ value: some AttributeValue) throws -> [String] {
            let property = try #require(model.layout(named: "Cup")?.property(named: name))
            return try #require(property.validation).failures(of: value.storedValue).map(\.message)
        }
        for (text, expected) in [
            ("0.1", []), ("0.3", []), ("0.09", ["must be at least 0.1"]), ("0.31", ["must be at most 0.3"]),
        ] {
            #expect(try failures("price", #require(Decimal(string: text))) == expected)
            #expect(try failures("weight", #require(Float(text))) == expected)
            #expect(try failures("size", #require(Double(text))) == expected)
        }
        #expect(try failures("weight", Float(0.1).nextDown) == ["must be at least 0.1"])
        #expect(try failures("weight", Float(0.3).nextUp) == ["must be at most 0.3"])
        #expect(model.fileText.contains(#""maximum": 0.3, "minimum": 0.1, "type": "float""#))
        #expect(model.fileText.contains(#""maximum": 0.3, "minimum": 0.1, "precision": 9"#))
        #expect(try ObjectModel(fileText: model.fileText).fileText == model.fileText)
    }

    @Test(arguments: [1e39, -1e39, 1e-50])
    func `A bound that 32 bits can't approximate is rejected`(bound: Double) {
        let error = #expect(throws: ModelError.self) {
            try ObjectModel { Entity("Cup") { Attribute("weight", .float).range(bound...) } }
        }
        #expect(error?.problems.map(\.code) == [.invalidRule])
    }

    @Test func `A literal default is rounded like the attribute's type`() throws {
        let model = try ObjectModel {
            Entity("Cup") {
                Attribute("price", .decimal(precision: 9, scale: 2)).default(0.1)
                Attribute("weight", .float).default(0.1)
            }
        }
        let attributes = model.layouts[0].properties.compactMap(\.attribute)
        #expect(
            attributes.map(\.defaultValue) == [
                .value(.decimal(try #require(Decimal(string: "0.1")))), .value(.double(Double(Float(0.1)))),
            ])
    }

    @Test func `Length counts characters of text and bytes of data`() {
        let rule = ValidationRule.length(minimum: 2, maximum: 3)
        #expect(
            ["a", "ab", "abc", "abcd"].map { rules(.string($0), .string, rule) } == [
                [.minimumLength], [], [], [.maximumLength],
            ])
        #expect(rules(.string("👩‍👩‍👧‍👦é"), .string, rule) == [])
        #expect(rules(.string("👩‍👩‍👧‍👦"), .string, rule) == [.minimumLength])
        #expect(rules(.data(Data("é".utf8)), .data, rule) == [])
        #expect(rules(.data(Data([1])), .data, rule) == [.minimumLength])
        #expect(rules(.data(Data([1, 2, 3, 4])), .data, rule) == [.maximumLength])
    }

    @Test func `A pattern matches from beginning to end`() {
        let rule = ValidationRule.pattern("[a-z]+|[0-9]{2}")
        #expect(
            ["abc", "12", "123", "abc1", "ABC", "", "a\n"].map { rules(.string($0), .string, rule).isEmpty }
                == [true, true, false, false, false, false, false])
    }

    @Test(arguments: [
        ("(?=a)b", "groups that start with “(?” are not supported, except “(?:”"),
        (#"\bword"#, #"“\b” is not supported"#), (#"(a)\1"#, #"“\1” is not supported"#),
        ("a++", "a quantifier follows another; put the first in a group"),
    ])
    func `A pattern is restricted to what every store evaluates alike`(pattern: String, reason: String) {
        let error = #expect(throws: ModelError.self) {
            try ObjectModel { Entity("Cup") { Attribute("name", .string).pattern(pattern) } }
        }
        #expect(
            error?.problems.map(\.message) == [
                "The pattern “\(pattern)” can't be read as a regular expression: \(reason). Correct the pattern."
            ])
    }

    @Test func `A pattern takes time proportional to the text`() {
        let rule = ValidationRule.pattern("(a*)*b")
        #expect(rules(.string(String(repeating: "a", count: 20_000)), .string, rule) == [.pattern])
    }

    @Test func `Repeating nothing a million times takes no time`() {
        let nested = (0..<12).reduce("") { inner, _ in "(\(inner)){1000}" }
        #expect(rules(.string(""), .string, .pattern(nested)) == [])
        #expect(rules(.string("a"), .string, .pattern(nested)) == [.pattern])
    }

    @Test func `JSON that is nested too deeply violates its own limit`() {
        let validation = ValueValidation(AttributeDescription("tags", .codable))
        func messages(_ depth: Int) -> [String] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return validation.failures(of: .string(text)).map(\.message)
        }
        #expect(messages(128) == [])
        #expect(messages(129) == ["must be JSON nested at most 128 levels deep"])
        #expect(validation.failures(of: .string("[")).map(\.message) == ["must be JSON text"])
    }

    @Test func `Every violated rule is listed`() {
        #expect(
            rules(.string("ABCD"), .string, .length(minimum: nil, maximum: 3), .pattern("[a-z]*"))
                == [.maximumLength, .pattern])
    }

    @Test func `A composite's parts are checked one by one and named`() {
        let type = AttributeType.composite([
            AttributeDescription("street", .string, rules: [.length(minimum: 1, maximum: nil)]),
            AttributeDescription("city", .string),
        ])
        let validation = ValueValidation(AttributeDescription("address", type))
        #expect(validation.failures(of: .composite([.string("Rome"), .string("Via")])) == [])
        let failures = validation.failures(of: .composite([.null, .string("")]))
        #expect(failures.map(\.part) == ["city", "street"])
        #expect(failures.map(\.rule) == [.required, .minimumLength])
        #expect(rules(.composite([.string("Rome")]), type) == [.type])
        #expect(rules(.string("Rome"), type) == [.type])
    }

    @Test func `Derived attributes aren't validated`() {
        let derived = AttributeDescription("n", .int64, storage: .derived(.count(relationship: "players")))
        #expect(ValueValidation(derived).failures(of: .null) == [])
    }

    @Test func `A message has the rule and the type but never the value`() {
        let range = AttributeDescription("x", .int64, rules: [.range(minimum: .int(1), maximum: nil)])
        #expect(ValueValidation(range).failures(of: .int(-4711)).map(\.message) == ["must be at least 1"])
        #expect(
            ValueValidation(range).failures(of: .string("secret")).map(\.message)
                == ["must be an integer, not text"])
    }
}
