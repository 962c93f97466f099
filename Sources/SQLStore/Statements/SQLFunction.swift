package import ContextCore

/// A function that each dialect renders in its own way, with the type of its argument or result.
package struct SQLFunction: Hashable, Sendable {
    /// The operation of the function.
    package enum Name: Hashable, Sendable {
        case arithmetic(ArithmeticOperator)
        /// A date plus or minus seconds.
        case shift(ArithmeticOperator, by: SQLType)
        /// The seconds between two dates.
        case interval
        case written(FetchFunction)
        case fold(TextOptions)
        /// Whether a text contains, begins with or ends with another.
        case text(SubstringTest)
        case like(LikePattern)
        case matches(RegularExpression)
        /// An integer or a double, converted so that the two types compare exactly.
        case comparable(SQLType)
        /// The conversion of a number to another type.
        case convert(from: SQLType)
        /// An aggregate function.
        ///
        /// If its result depends on the order of the values, further arguments are the sort terms.
        case aggregate(AggregateFunction)
    }

    /// The operation.
    package let name: Name
    /// The type of the result; for conditions, lengths and aggregates, the type of the first argument.
    package let type: SQLType

    package init(_ name: Name, _ type: SQLType) {
        self.name = name
        self.type = type
    }
}

extension SQLFunction.Name: CustomStringConvertible {
    /// The function in the syntax of predicates.
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
