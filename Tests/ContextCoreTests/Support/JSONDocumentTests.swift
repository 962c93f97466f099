import Foundation
import RandomSeeds
import Testing

@testable import ContextCore

struct JSONDocumentTests {
    private func text(_ node: JSONNode) -> String {
        switch node.content {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): number.text
        case .string(let value): "'\(value)'"
        case .array(let nodes): "[" + nodes.map(text).joined(separator: " ") + "]"
        case .object(let members):
            "{" + members.map { "\($0.name)=\(text($0.value))" }.joined(separator: " ") + "}"
        }
    }

    @Test func `Every kind of value is read`() throws {
        let source = #" {"a": [true, false, null, -0.5e+3, "x"], "b": {}, "c": [], "": 0} "#
        #expect(text(try JSONDocument(source).root) == "{a=[true false null -0.5e+3 'x'] b={} c=[] =0}")
    }

    @Test func `Escapes become what they stand for`() throws {
        let source = #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀""#
        guard case .string(let value) = try JSONDocument(source).root.content else {
            Issue.record("The text is one string.")
            return
        }
        #expect(value == "\"\\/\u{8}\u{c}\n\r\té😀é😀")
    }

    @Test func `Numbers are exact as integers and as decimals`() throws {
        #expect(JSONNumber(text: "9223372036854775807").int64 == .max)
        #expect(JSONNumber(text: "-9223372036854775808").int64 == .min)
        #expect(JSONNumber(text: "9223372036854775808").int64 == nil)
        #expect(JSONNumber(text: "1.0").int64 == nil)
        let digits = "1234567890123456789012345678.9012345678"
        #expect(JSONNumber(text: digits).decimal == Decimal(string: digits))
        #expect(JSONNumber(text: "0." + String(repeating: "1", count: 39)).decimal == nil)
        #expect(JSONNumber(text: "1e400").decimal == nil)
        #expect(JSONNumber(text: "12e-1").decimal == Decimal(string: "1.2"))
        #expect(JSONNumber(text: "-0.0").decimal == 0)
        #expect(JSONNumber(text: "1e127").decimal == pow(Decimal(10), 127))
        #expect(JSONNumber(text: "-3E-128").decimal == Decimal(sign: .minus, exponent: -128, significand: 3))
        let zeros = String(repeating: "0", count: 1000)
        #expect(JSONNumber(text: "1\(zeros)e-1000").decimal == 1)
        let unfit = [
            "1e-9223372036854775808", "1e9223372036854775807", "1e99999999999999999999", "1e128", "1e-129",
            "0.\(zeros)1", "1\(zeros)", "\(digits)9",
        ]
        for text in unfit { #expect(JSONNumber(text: text).decimal == nil, "\(text)") }
        #expect(JSONNumber(text: "1e400").double == nil)
        #expect(JSONNumber(text: "0.1").double == 0.1)
    }

    @Test func `Every value and name has its place, counted in scalars`() throws {
        let root = try JSONDocument("{\n  \"é😀\": [1,\n 2]\n}").root
        guard case .object(let members) = root.content, case .array(let numbers) = members[0].value.content
        else {
            Issue.record("The text is an object with an array.")
            return
        }
        #expect(root.position == JSONPosition(line: 1, column: 1))
        #expect(members[0].position == JSONPosition(line: 2, column: 3))
        #expect(members[0].value.position == JSONPosition(line: 2, column: 9))
        #expect(
            numbers.map(\.position) == [JSONPosition(line: 2, column: 10), JSONPosition(line: 3, column: 2)])
    }

    @Test(arguments: [
        ("", "1:1: The text is empty."),
        ("{", "1:2: A name in double quotes must stand here, not the end of the text."),
        ("{a: 1}", "1:2: A name in double quotes must stand here, not “a”."),
        ("{\"a\" 1}", "1:6: A colon must follow the name, not “1”."),
        ("{\"a\": 1 \"b\": 2}", "1:9: A comma or “}” must stand here, not “\"”."),
        ("[1,\n 2,]", "2:3: No comma may stand before “]”: remove it."),
        ("{\"a\": 1,}", "1:8: No comma may stand before “}”: remove it."),
        ("{\"a\": 1,\n\"a\": 2}", "2:1: “a” stands twice in this object, first at line 1: remove one."),
        ("[1] [2]", "1:5: Nothing may follow the value, but here “[” does."),
        ("[01]", "1:2: A number may not begin with a zero: write it without."),
        ("[-]", "1:3: A digit must follow the minus sign, not “]”."),
        ("[1.]", "1:4: A digit must follow the decimal point, not “]”."),
        ("[1e]", "1:4: A digit must stand in the exponent, not “]”."),
        ("[+1]", "1:2: A value must stand here, not “+”."),
        ("[NaN]", "1:2: A value must stand here, not “N”."),
        ("['a']", "1:2: A value must stand here, not “'”."),
        ("// note\n1", "1:1: A value must stand here, not a comment (JSON has none)."),
        ("[\"a]", "1:2: The string that begins here has no closing quote."),
        (
            "[\"é\n\"]",
            "1:4: A control character may not stand in a string: a string ends on its line."
        ),
        ("[\"\u{1}\"]", "1:3: A control character may not stand in a string: write it as \\u0001."),
        (#"["\q"]"#, "1:3: No such escape exists: a backslash is followed by one of \" \\ / b f n r t u."),
        (#"["\u12g4"]"#, "1:3: Four hexadecimal digits must follow \\u."),
        (#"["\ud83d"]"#, "1:3: This escape is half of a surrogate pair: write both halves."),
        (#"["\ude00\ud83d"]"#, "1:3: This escape is half of a surrogate pair: write both halves."),
        (#"["\ud83d\u0041"]"#, "1:3: This escape is half of a surrogate pair: write both halves."),
        ("\u{FEFF}1", "1:1: The text begins with a byte order mark: save it without one."),
    ])
    func `What isn't JSON is refused with its place`(source: String, message: String) {
        #expect {
            try JSONDocument(source)
        } throws: {
            "\($0)" == message
        }
    }

    @Test func `Comments and trailing commas are taken where the reader says so`() throws {
        let source = """
            // é
            {"a": 1, /* two
            lines */ "b": [true, /**/ false,], // the end
            }
            //
            """
        let root = try JSONDocument(source, allowsComments: true).root
        #expect(text(root) == "{a=1 b=[true false]}")
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(source) }
    }

    @Test(arguments: [
        ("{} /* ", "1:4: Nothing may follow the value, but here a comment without an end does."),
        ("/", "1:1: A value must stand here, not “/” (a comment begins with //)."),
        ("# x", "1:1: A value must stand here, not “#” (a comment begins with //)."),
        ("{\"a\" /* é\n */ 1}", "2:5: A colon must follow the name, not “1”."),
        ("[,]", "1:2: A value must stand here, not “,”."),
        ("[1,,]", "1:4: A value must stand here, not “,”."),
    ])
    func `A mistake beside comments has its place too`(source: String, message: String) {
        #expect {
            try JSONDocument(source, allowsComments: true)
        } throws: {
            "\($0)" == message
        }
    }

    @Test func `A hundred and twenty-eight values may be inside one another, not more`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONDocument(nested(128))
        #expect {
            try JSONDocument(nested(129))
        } throws: {
            "\($0)" == "1:129: More than 128 values are inside one another."
        }
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(nested(100_000)) }
    }

    @Test func `A file that isn't UTF-8 is refused where it stops being that`() {
        #expect {
            try JSONDocument(Data("[\"é\",\n \"a".utf8) + Data([0xFF]) + Data("\"]".utf8))
        } throws: {
            "\($0)" == "2:4: The file isn't UTF-8 from here on: save it with that encoding."
        }
    }

    @Test func `No beginning of a text and no changed byte can trap`() throws {
        let source = Array(#"{"a": [true, -1.5e3, "\u00e9\ud83d\ude00é", null], "b": {"c": ""}}"#.utf8)
        for length in 0..<source.count {
            #expect(throws: JSONSyntaxError.self) { try JSONDocument(Data(source[..<length])) }
        }
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            var bytes = source
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            do { _ = try JSONDocument(Data(bytes)) } catch { #expect(error.position.line >= 1) }
        }
    }
}
