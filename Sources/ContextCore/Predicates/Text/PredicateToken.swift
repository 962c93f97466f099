/// A piece of a predicate's text.
struct PredicateToken {
    /// What it is.
    enum Kind: Equatable {
        case end
        /// A word that is no keyword, or that was escaped with `#`.
        case name(String)
        case keyword(PredicateKeyword)
        /// `$x`.
        case variable(String)
        /// A whole number without its sign.
        case integer(UInt64)
        case double(Double)
        /// The text between quotes.
        case string(String)
        case symbol(Symbol)
        /// `%@`, `%ld` or `%f`: a value from outside.
        case argument(String)
        /// `%K`: a path from outside.
        case pathArgument
        /// `@sum`.
        case aggregate(String)
    }

    /// Signs with a meaning of their own; the raw value is how they are written.
    enum Symbol: String, CaseIterable {
        case open = "(", close = ")", openBrace = "{", closeBrace = "}", openBracket = "[", closeBracket = "]"
        case comma = ",", point = ".", colon = ":"
        case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual =
            ">="
        case plus = "+", minus = "-", times = "*", divided = "/"
        case ampersands = "&&", bars = "||", exclamation = "!", orElse = "??"
    }

    let kind: Kind
    /// Where the piece begins and ends, in bytes.
    let range: Range<Int>

    /// The comparison that the piece stands for.
    var comparison: ComparisonOperator? {
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
