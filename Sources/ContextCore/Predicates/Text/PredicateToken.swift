/// A token of a predicate's text.
package struct PredicateToken {
    /// The type of a token, with its value.
    package enum Kind: Equatable {
        case end
        /// A word that is not a keyword, or that is escaped with `#`.
        case name(String)
        case keyword(PredicateKeyword)
        /// `$x`.
        case variable(String)
        /// An integer without its sign.
        case integer(UInt64)
        case double(Double)
        /// A quoted string, without its quotes.
        case string(String)
        case symbol(Symbol)
        /// `%@`, `%ld` or `%f`: a placeholder for a value.
        case argument(String)
        /// `%K`: a placeholder for a path.
        case pathArgument
        /// `@sum`.
        case aggregate(String)
    }

    /// An operator or a punctuation mark; the raw value is its spelling.
    package enum Symbol: String, CaseIterable {
        case open = "(", close = ")", openBrace = "{", closeBrace = "}", openBracket = "[", closeBracket = "]"
        case comma = ",", point = ".", colon = ":"
        case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual =
            ">="
        case plus = "+", minus = "-", times = "*", divided = "/"
        case ampersands = "&&", bars = "||", exclamation = "!", orElse = "??"
    }

    package let kind: Kind
    /// The token's range in the text, in bytes.
    package let range: Range<Int>

    /// The comparison operator that the token is, if any.
    package var comparison: ComparisonOperator? {
        switch kind {
        case .keyword(let keyword): keyword.comparison
        case .symbol(.equal): .equal
        case .symbol(.notEqual): .notEqual
        case .symbol(.less): .less
        case .symbol(.lessOrEqual): .lessOrEqual
        case .symbol(.greater): .greater
        case .symbol(.greaterOrEqual): .greaterOrEqual
        default: nil
        }
    }
}
