import ContextCore
import Testing

struct PredicateSyntaxErrorTests {
    @Test(arguments: [
        ("", 1, "expected a value, found the end"),
        ("score >", 8, "expected a value after \">\", found the end"),
        ("score > AND name = 1", 9, "expected a value after \">\", found \"AND\""),
        ("score", 1, "expected a condition, found a value"),
        ("score > 1 AND name", 15, "expected a condition, found a value"),
        ("(score > 1", 11, "expected \")\" after \"1\", found the end"),
        ("score > 1)", 10, "expected AND, OR or the end after \"1\", found \")\""),
        ("score BEGINWITH 'x'", 7, "expected a comparison after \"score\", found \"BEGINWITH\""),
        ("größe = 'x", 9, "the string that starts here has no closing quote"),
        ("a = 'x\\q'", 7, "this escape sequence is unknown"),
        ("a = 9223372036854775808", 5, "the number doesn't fit into 64 bits"),
        ("a = 99999999999999999999", 5, "the number doesn't fit into 64 bits"),
        ("a = 1e999", 5, "the number doesn't fit into 64 bits"),
        ("a = 2nd", 5, "a letter follows a number directly"),
        ("a & b", 3, "unexpected character \"&\""),
        ("a = lowercas(b)", 5, "the function lowercas doesn't exist"),
        ("a = mod(b)", 5, "mod takes two values, not 1"),
        ("a.@cuont > 1", 3, "@cuont isn't a collection operator"),
        ("a =[x] 1", 5, "[x] isn't an option"),
        ("a =[l] 'x'", 5, "[l] is not supported"),
        ("a = %@", 5, "the argument for \"%@\" is missing"),
        ("a = %s", 5, "\"%s\" isn't a placeholder for an argument"),
        ("a = date('2026-02-30')", 5, "date(…) has an invalid argument"),
        ("a = decimal('12x')", 5, "decimal(…) has an invalid argument"),
        ("SUBQUERY(a, $x, $x.b = 1) > 1", 27, "expected .@count after \")\", found \">\""),
        ("a = (b = 1)", 5, "expected a value, found a condition"),
        ("a BETWEEN 1", 12, "expected AND after \"1\", found the end"),
        ("in = 1", 1, "expected a value, found \"in\""),
    ])
    func `An error has its column and the problem`(text: String, column: Int, message: String) {
        let error = #expect(throws: PredicateSyntaxError.self) { try FetchPredicate(text) }
        #expect(error?.column == column)
        #expect(error?.message == message)
    }

    @Test(arguments: [
        ("score BEGINWITH 'x'", "Did you mean BEGINSWITH?"),
        ("a = lowercas(b)", "Did you mean lowercase?"),
        ("a.@cuont > 1", "Did you mean @count?"),
        ("isActive AND b = 1", "Compare a Boolean with YES or NO: isActive = YES."),
        ("a = 'c:\\x'", "Write a backslash as \\\\."),
        ("in = 1", "Write a property of that name as #in."),
    ])
    func `An error suggests the likely meaning`(text: String, suggestion: String) {
        let error = #expect(throws: PredicateSyntaxError.self) { try FetchPredicate(text) }
        #expect(error?.suggestion == suggestion)
    }

    @Test func `The detailed text has the line and a caret`() {
        let error = #expect(throws: PredicateSyntaxError.self) {
            try FetchPredicate("score > 1\nAND name = = 2")
        }
        #expect(
            error?.detailedDescription == """
                Line 2, column 12: expected a value after "=", found "=".
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
    func `Unlimited nesting is rejected, and never overflows the stack`(text: String) {
        let error = #expect(throws: PredicateSyntaxError.self) { try FetchPredicate(text) }
        #expect(error?.message.contains("100") == true)
    }

    @Test func `A hundred thousand clauses in a row are parsed`() throws {
        let text = "a = 1" + String(repeating: " AND a = 1", count: 99_999)
        guard case .and(let members) = try FetchPredicate(text) else {
            Issue.record("the clauses are not one AND")
            return
        }
        #expect(members.count == 100_000)
    }
}
