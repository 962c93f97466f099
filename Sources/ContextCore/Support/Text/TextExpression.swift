/// A regular expression, of `MATCHES` or of a validation rule, taken apart.
///
/// The language is a small one, which every store can answer alike and in time linear in the text: literals, `.`, classes such
/// as `[a-z]` and `[^0-9]`, `\d \w \s` and their opposites (ASCII only), groups, `|`, `*`, `+`, `?` and `{2,5}`. Beginning and
/// end are implied. There are no references back, no looking around and no possessive repeating.
///
/// Where case or diacritics make no difference, the expression is made for text that has been folded.
package struct TextExpression: Sendable {
    /// A piece of an expression.
    package indirect enum Node: Hashable, Sendable {
        /// One scalar of a set.
        case scalar(ScalarSet)
        /// One after the other; none at all fits the empty text.
        case sequence([Node])
        /// One of several.
        case alternatives([Node])
        /// As often as the bounds say; without end when the upper one is nil.
        case repeated(Node, least: Int, most: Int?)
    }

    /// The expression as it was written.
    package let pattern: String
    /// What makes no difference in the texts that are matched.
    package let options: TextOptions
    /// The whole of it.
    package let root: Node
    private let program: TextProgram

    /// Reads an expression.
    init(_ pattern: String, options: TextOptions) throws(TextExpressionError) {
        self.pattern = pattern
        self.options = options
        var parser = TextExpressionParser(pattern, options: options)
        root = try parser.expression()
        program = try TextProgram(root)
    }

    /// Reads an expression that was read before; nil for anything else.
    package init?(reading pattern: String, options: TextOptions) {
        guard let expression = try? TextExpression(pattern, options: options) else { return nil }
        self = expression
    }

    /// Whether a text, folded where the options say so, fits from beginning to end.
    package func matches(folded text: UnsafeRawBufferPointer) -> Bool {
        program.matches(text)
    }

    /// Whether a text, folded where the options say so, fits from beginning to end.
    package func matches(folded text: String) -> Bool {
        text.withBytes(program.matches)
    }
}

extension TextExpression: Hashable {
    package static func == (left: TextExpression, right: TextExpression) -> Bool {
        left.options == right.options && left.pattern.utf8.elementsEqual(right.pattern.utf8)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

/// A regular expression can't be read.
struct TextExpressionError: Error, CustomStringConvertible {
    /// What is wrong.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
