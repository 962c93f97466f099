import ContextCore
import Testing

struct PredicateSyntaxErrorTests {
    @Test(arguments: [
        ("", 1, "a value was expected, not the end"),
        ("score >", 8, "a value was expected after \">\", not the end"),
        ("score > AND name = 1", 9, "a value was expected after \">\", not \"AND\""),
        ("score", 1, "a value alone is no condition"),
        ("score > 1 AND name", 15, "a value alone is no condition"),
        ("(score > 1", 11, "\")\" was expected after \"1\", not the end"),
        ("score > 1)", 10, "the end, AND or OR was expected after \"1\", not \")\""),
        ("score BEGINWITH 'x'", 7, "a comparison was expected after \"score\", not \"BEGINWITH\""),
        ("größe = 'x", 9, "the text that begins here has no closing quote"),
        ("a = 'x\\q'", 7, "this escape is unknown"),
        ("a = 9223372036854775808", 5, "the number is too great for 64 bits"),
        ("a = 99999999999999999999", 5, "the number is too great for 64 bits"),
        ("a = 1e999", 5, "the number is too great for 64 bits"),
        ("a = 2nd", 5, "a number runs into a name"),
        ("a & b", 3, "\"&\" means nothing here"),
        ("a = lowercas(b)", 5, "there is no function lowercas"),
        ("a = mod(b)", 5, "mod takes two values, not 1"),
        ("a.@cuont > 1", 3, "@cuont is no collection operator"),
        ("a =[x] 1", 5, "[x] is no option"),
        ("a =[l] 'x'", 5, "[l] is not supported"),
        ("a = %@", 5, "no value was given for \"%@\""),
        ("a = %s", 5, "\"%s\" is no place for an argument"),
        ("a = date('2026-02-30')", 5, "date(…) can't be read"),
        ("a = decimal('12x')", 5, "decimal(…) can't be read"),
        ("SUBQUERY(a, $x, $x.b = 1) > 1", 27, ".@count was expected after \")\", not \">\""),
        ("a = (b = 1)", 5, "a value was expected, not a condition"),
        ("a BETWEEN 1", 12, "AND was expected after \"1\", not the end"),
        ("in = 1", 1, "a value was expected, not \"in\""),
    ])
    func `An error points at its column and says what is wrong`(text: String, column: Int, message: String) {
        let error = #expect(throws: PredicateSyntaxError.self) { try FetchPredicate(text) }
        #expect(error?.column == column)
        #expect(error?.message == message)
    }

    @Test(arguments: [
        ("score BEGINWITH 'x'", "Did you mean BEGINSWITH?"),
        ("a = lowercas(b)", "Did you mean lowercase?"),
        ("a.@cuont > 1", "Did you mean @count?"),
        ("isActive AND b = 1", "A Boolean is compared too: isActive = YES."),
        ("a = 'c:\\x'", "A backslash itself is written \\\\."),
        ("in = 1", "A property of that name is written #in."),
    ])
    func `An error suggests what was meant`(text: String, suggestion: String) {
        let error = #expect(throws: PredicateSyntaxError.self) { try FetchPredicate(text) }
        #expect(error?.suggestion == suggestion)
    }

    @Test func `The detailed text has the line and a caret`() {
        let error = #expect(throws: PredicateSyntaxError.self) {
            try FetchPredicate("score > 1\nAND name = = 2")
        }
        #expect(
            error?.detailedDescription == """
                Line 2, column 12: a value was expected after "=", not "=".
                    AND name = = 2
                               ^
                """)
    }

    @Test func `Too many and too few values for the arguments are errors`() {
        #expect(throws: PredicateSyntaxError.self) { try FetchPredicate("a = 1", 5) }
        #expect(throws: PredicateSyntaxError.self) { try FetchPredicate("a = %@ AND b = %@", 5) }
        #expect(throws: PredicateSyntaxError.self) { try FetchPredicate("a = %ld", "x") }
        #expect(throws: PredicateSyntaxError.self) { try FetchPredicate("%K = 1", 5) }
    }

    @Test(arguments: [
        String(repeating: "(", count: 100_000) + "a = 1" + String(repeating: ")", count: 100_000),
        String(repeating: "NOT ", count: 100_000) + "a = 1",
        "a = " + String(repeating: "- ", count: 100_000) + "b",
        "a = " + String(repeating: "{", count: 100_000),
        "a = " + String(repeating: "abs(", count: 100_000),
        "a = 1" + String(repeating: " + 1", count: 100_000),
        String(repeating: "ANY(p, $x, ", count: 100_000),
        String(repeating: "SUBQUERY(p, $x, ", count: 100_000),
        String(repeating: "TERNARY(", count: 100_000),
    ])
    func `Nesting without end is refused, and never overflows the stack`(text: String) {
        let error = #expect(throws: PredicateSyntaxError.self) { try FetchPredicate(text) }
        #expect(error?.message.contains("100") == true)
    }

    @Test func `A hundred thousand clauses side by side are read`() throws {
        let text = "a = 1" + String(repeating: " AND a = 1", count: 99_999)
        guard case .and(let members) = try FetchPredicate(text) else {
            Issue.record("the clauses are not one AND")
            return
        }
        #expect(members.count == 100_000)
    }
}
