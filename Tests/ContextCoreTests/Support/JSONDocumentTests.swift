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

    @Test func `Escapes are decoded`() throws {
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

    @Test func `Every value and name has its position, counted in scalars`() throws {
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
        ("", "1:1: The text is empty: write a JSON value."),
        ("{", "1:2: Expected a name in double quotes, found the end of the text."),
        ("{a: 1}", "1:2: Expected a name in double quotes, found “a”."),
        ("{\"a\" 1}", "1:6: Expected a colon after the name, found “1”."),
        ("{\"a\": 1 \"b\": 2}", "1:9: Expected a comma or “}”, found “\"”."),
        ("[1,\n 2,]", "2:3: A comma isn't allowed before “]”: remove it."),
        ("{\"a\": 1,}", "1:8: A comma isn't allowed before “}”: remove it."),
        ("{\"a\": 1,\n\"a\": 2}", "2:1: “a” occurs twice in this object, first in line 1: remove one."),
        ("[1] [2]", "1:5: Expected the end of the text, found “[”."),
        ("[01]", "1:2: A number can't have a leading zero: remove it."),
        ("[-]", "1:3: Expected a digit after the minus sign, found “]”."),
        ("[1.]", "1:4: Expected a digit after the decimal point, found “]”."),
        ("[1e]", "1:4: Expected a digit in the exponent, found “]”."),
        ("[+1]", "1:2: Expected a value, found “+”."),
        ("[NaN]", "1:2: Expected a value, found “N”."),
        ("['a']", "1:2: Expected a value, found “'”."),
        ("// note\n1", "1:1: Expected a value, found a comment, which JSON doesn't allow."),
        ("[\"a]", "1:2: The string has no closing quote: add it."),
        (
            "[\"é\n\"]",
            "1:4: A string can't contain a control character: close it on its line."
        ),
        ("[\"\u{1}\"]", "1:3: A string can't contain a control character: write \\u0001."),
        (
            #"["\q"]"#,
            "1:3: The escape sequence is invalid: after a backslash, write one of \" \\ / b f n r t u."
        ),
        (#"["\u12g4"]"#, "1:3: Expected four hexadecimal digits after \\u."),
        (#"["\ud83d"]"#, "1:3: The escape sequence is half of a surrogate pair: write both halves."),
        (#"["\ude00\ud83d"]"#, "1:3: The escape sequence is half of a surrogate pair: write both halves."),
        (#"["\ud83d\u0041"]"#, "1:3: The escape sequence is half of a surrogate pair: write both halves."),
        ("\u{FEFF}1", "1:1: The text starts with a byte order mark: save it without one."),
    ])
    func `Invalid JSON is rejected with its position`(source: String, message: String) {
        #expect {
            try JSONDocument(source)
        } throws: {
            "\($0)" == message
        }
    }

    @Test func `Comments and trailing commas are accepted if the reader allows them`() throws {
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
        ("{} /* ", "1:4: Expected the end of the text, found an unterminated comment."),
        ("/", "1:1: Expected a value, found “/” (a comment starts with //)."),
        ("# x", "1:1: Expected a value, found “#” (a comment starts with //)."),
        ("{\"a\" /* é\n */ 1}", "2:5: Expected a colon after the name, found “1”."),
        ("[,]", "1:2: Expected a value, found “,”."),
        ("[1,,]", "1:4: Expected a value, found “,”."),
    ])
    func `A mistake near comments has its position too`(source: String, message: String) {
        #expect {
            try JSONDocument(source, allowsComments: true)
        } throws: {
            "\($0)" == message
        }
    }

    @Test func `A hundred and twenty-eight levels of nesting are accepted, but no more`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONDocument(nested(128))
        #expect {
            try JSONDocument(nested(129))
        } throws: {
            "\($0)" == "1:129: The values are nested more than 128 levels deep."
        }
        #expect(throws: JSONSyntaxError.self) { try JSONDocument(nested(100_000)) }
    }

    @Test func `A file that isn't UTF-8 is rejected at the invalid byte`() {
        #expect {
            try JSONDocument(Data("[\"é\",\n \"a".utf8) + Data([0xFF]) + Data("\"]".utf8))
        } throws: {
            "\($0)" == "2:4: The file contains bytes that aren't UTF-8: save it as UTF-8."
        }
    }

    @Test func `No truncated or changed text traps`() throws {
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
