import ContextCore

/// An expression of a table's definition, as far as a model can express it.
indirect enum SQLExpression: Equatable {
    enum Comparison: String {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="

        init?(symbol: String) {
            switch symbol {
            case "=": self = .equal
            case "<>": self = .notEqual
            default: self.init(rawValue: symbol)
            }
        }

        /// The comparison with its operands exchanged.
        var mirrored: Comparison {
            switch self {
            case .equal, .notEqual: self
            case .less: .greater
            case .atMost: .atLeast
            case .greater: .less
            case .atLeast: .atMost
            }
        }
    }

    case column(String)
    /// A number keeps its text, because only a column has a type.
    case number(String)
    case text(String)
    case bool(Bool)
    case null
    /// A function with its name in lower case, or a keyword such as `CURRENT_TIMESTAMP` without arguments.
    case call(String, [SQLExpression])
    case array([SQLExpression])
    /// A column in another type, whose name is in lower case.
    case cast(SQLExpression, String)
    case compare(SQLExpression, Comparison, SQLExpression)
    case isMember(SQLExpression, [SQLExpression])
    case matches(SQLExpression, String)
    case isNull(SQLExpression)
    case not(SQLExpression)
    case and([SQLExpression])
    case or([SQLExpression])

    /// The members of a conjunction; the expression itself if it is none.
    var conjuncts: [SQLExpression] {
        if case .and(let members) = self { members.flatMap(\.conjuncts) } else { [self] }
    }

    var isLiteral: Bool {
        switch self {
        case .number, .text, .bool, .null: true
        default: false
        }
    }

    /// Parses an expression; nil if a part of it has no place here.
    init?(_ text: String) {
        guard let tokens = SQLToken.tokens(of: text) else { return nil }
        var parser = SQLExpressionParser(tokens)
        guard let expression = parser.parseExpression(), parser.isAtEnd else { return nil }
        self = expression
    }
}
