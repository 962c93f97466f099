package import ContextCore

/// A function that every dialect spells in its own way, with the type of what it is given.
package struct SQLFunction: Hashable, Sendable {
    /// Names what is worked out.
    package enum Name: Hashable, Sendable {
        case arithmetic(ArithmeticOperator)
        /// A moment and seconds: a moment plus or minus seconds.
        case shift(ArithmeticOperator, by: SQLType)
        /// The seconds between two moments.
        case interval
        case written(FetchFunction)
        case fold(TextOptions)
        /// Whether a text holds another.
        case text(TextTest)
        case like(LikePattern)
        case matches(TextExpression)
        /// An integer or a double in a form in which the two compare exactly.
        case comparable(SQLType)
        /// A number as one of another type.
        case convert(from: SQLType)
        /// What many values come to.
        ///
        /// Where it depends on the order of the values, further arguments are what they are to be sorted by.
        case aggregate(AggregateFunction)
    }

    /// What is worked out.
    package let name: Name
    /// The type of its result; for a condition, a length and an aggregate, that of its first argument.
    package let type: SQLType

    package init(_ name: Name, _ type: SQLType) {
        self.name = name
        self.type = type
    }
}

extension SQLFunction.Name: CustomStringConvertible {
    /// The function as predicates write it.
    package var description: String {
        switch self {
        case .arithmetic(let sign), .shift(let sign, _): sign.rawValue
        case .interval: "-"
        case .written(let function): function.rawValue
        case .fold(let options):
            "[\(options.contains(.caseInsensitive) ? "c" : "")\(options.contains(.diacriticInsensitive) ? "d" : "")]"
        case .text(.beginsWith): "BEGINSWITH"
        case .text(.endsWith): "ENDSWITH"
        case .text(.contains): "CONTAINS"
        case .like: "LIKE"
        case .matches: "MATCHES"
        case .comparable: "comparable"
        case .convert: "convert"
        case .aggregate(let function): "@\(function.rawValue)"
        }
    }
}
