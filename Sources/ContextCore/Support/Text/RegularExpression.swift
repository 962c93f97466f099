/// A parsed regular expression of `MATCHES` or of a validation rule.
///
/// The syntax is a subset that gives the same results in every store, in time linear in the length of the text: literals, `.`,
/// classes such as `[a-z]` and `[^0-9]`, `\d \w \s` and their complements (ASCII only), groups, `|`, `*`, `+`, `?` and `{2,5}`.
/// The expression is anchored at both ends. Backreferences, lookaround and possessive quantifiers are not supported.
///
/// With options, the expression matches folded text.
package struct RegularExpression: Sendable {
    /// A node of the syntax tree.
    package indirect enum Node: Hashable, Sendable {
        /// A scalar of a set.
        case scalar(ScalarSet)
        /// A concatenation; an empty one matches the empty string.
        case sequence([Node])
        /// An alternation.
        case alternatives([Node])
        /// A repetition with bounds; unlimited if the upper bound is nil.
        case repeated(Node, minimum: Int, maximum: Int?)
    }

    /// The text of the expression.
    package let pattern: String
    /// The options with which matched text is folded.
    package let options: TextOptions
    /// The root of the syntax tree.
    package let root: Node
    private let program: RegularExpressionAutomaton

    /// Parses an expression.
    init(_ pattern: String, options: TextOptions) throws(RegularExpressionError) {
        self.pattern = pattern
        self.options = options
        var parser = RegularExpressionParser(pattern, options: options)
        root = try parser.parseExpression()
        program = try RegularExpressionAutomaton(root)
    }

    /// Parses an expression that has been checked; nil if it is invalid.
    package init?(reading pattern: String, options: TextOptions) {
        guard let expression = try? RegularExpression(pattern, options: options) else { return nil }
        self = expression
    }

    /// Whether the expression matches a whole string, which is already folded with the options.
    package func matches(folded text: UnsafeRawBufferPointer) -> Bool {
        program.matches(text)
    }

    /// Whether the expression matches a whole string, which is already folded with the options.
    package func matches(folded text: String) -> Bool {
        text.withBytes(program.matches)
    }
}

extension RegularExpression: Hashable {
    package static func == (left: RegularExpression, right: RegularExpression) -> Bool {
        left.options == right.options && left.pattern.utf8.elementsEqual(right.pattern.utf8)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

/// A syntax error in a regular expression.
struct RegularExpressionError: Error, CustomStringConvertible {
    /// The problem, as a phrase without a period.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
