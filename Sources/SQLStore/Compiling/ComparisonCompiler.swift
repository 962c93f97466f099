import ContextCore
import Foundation

/// Compiles comparisons to SQL and encodes each constant in the type of the column that it is compared with.
struct ComparisonCompiler {
    private let compiler: PredicateCompiler

    init(_ compiler: PredicateCompiler) {
        self.compiler = compiler
    }

    /// Returns the condition that compares two values.
    func condition(
        _ left: ResolvedExpression, _ comparison: OrderOperator, _ right: ResolvedExpression, isFilter: Bool
    ) throws(StoreError) -> SQLExpression {
        let (first, second) = try operands(left, right)
        let mayBeNull = (left.isNullable, right.isNullable)
        return .comparison(first, Self.spelling(of: comparison, mayBeNull, isFilter: isFilter), second)
    }

    /// Chooses the operator: `=` and `!=` of predicates are never unknown, so nullable operands need `IS [NOT] DISTINCT FROM`.
    private static func spelling(
        of comparison: OrderOperator, _ mayBeNull: (left: Bool, right: Bool), isFilter: Bool
    ) -> SQLComparison {
        switch comparison {
        case .equal:
            let isPlain = mayBeNull == (false, false) || (isFilter && mayBeNull != (true, true))
            return isPlain ? .equal : .same
        case .notEqual: return mayBeNull == (false, false) ? .notEqual : .different
        case .less: return .less
        case .lessOrEqual: return .lessOrEqual
        case .greater: return .greater
        case .greaterOrEqual: return .greaterOrEqual
        }
    }

    /// Returns both operands in the same SQL type.
    ///
    /// Decimal numbers have several types: a constant is encoded in the type of the column, so that an index can be used; two
    /// different columns are both converted to the type that holds any number. An integer expression and a double expression are
    /// also both converted.
    private func operands(
        _ left: ResolvedExpression, _ right: ResolvedExpression
    ) throws(StoreError) -> (SQLExpression, SQLExpression) {
        let first = try compiler.value(left)
        let second = try compiler.value(right)
        if first.type == second.type { return (first.sql, second.sql) }
        if left.type == .integer, right.type == .double, left.constant == nil, right.constant == nil {
            return (Self.comparable(first), Self.comparable(second))
        }
        if let constant = Self.constant(right, as: first.type) { return (first.sql, constant) }
        if let constant = Self.constant(left, as: second.type) { return (constant, second.sql) }
        return (compiler.anyDecimal(first).sql, compiler.anyDecimal(second).sql)
    }

    private static func comparable(_ value: TypedSQL) -> SQLExpression {
        .call(SQLFunction(.comparable(value.type), value.type), [value.sql])
    }

    /// Returns a decimal constant in the type of a column, or nil if it has more digits than the column stores.
    private static func constant(_ expression: ResolvedExpression, as type: SQLType) -> SQLExpression? {
        guard let value = expression.constant else { return nil }
        return PredicateCompiler.fits(value, type) ? .binding(.value(value, type)) : nil
    }

    /// Returns the condition that a value is in a list of constants.
    func condition(
        _ value: ResolvedExpression, isAmong members: [StoredValue], isFilter: Bool
    ) throws(StoreError) -> SQLExpression {
        var operand = try compiler.value(value)
        if members.isEmpty { return .truth(false) }
        if !members.allSatisfy({ PredicateCompiler.fits($0, operand.type) }) {
            operand = compiler.anyDecimal(operand)
        }
        let among: SQLExpression
        if members.count > Self.maximumInlineListLength, !compiler.listsEverything {
            among = .isListed(operand.sql, members, operand.type)
        } else {
            among = .isAmong(operand.sql, members.map { .binding(.value($0, operand.type)) })
        }
        return value.isNullable && !isFilter ? .truthTest(among, .true) : among
    }

    /// The maximum length of a list whose values are bound one by one; a longer list is bound as one parameter.
    static let maximumInlineListLength = 16

    /// Returns the condition that a text contains, begins with or ends with another.
    ///
    /// `BEGINSWITH` with a constant becomes a range of texts, for which an index can be used.
    func condition(
        _ text: ResolvedExpression, _ test: SubstringTest, _ other: ResolvedExpression
    ) throws(StoreError) -> SQLExpression {
        let operand = try compiler.value(text).sql
        if test == .beginsWith, let prefix = other.constant, !prefix.isNull {
            let from = SQLExpression.comparison(operand, .greaterOrEqual, .binding(.value(prefix, .text)))
            guard let end = Self.end(ofTextsBeginningWith: prefix) else { return from }
            return .and([from, .comparison(operand, .less, .binding(.value(end, .text)))])
        }
        return .call(SQLFunction(.text(test), .text), [operand, try compiler.value(other).sql])
    }

    /// Returns the first text, in the order of bytes, after all texts with a prefix, or nil if there is none.
    static func end(ofTextsBeginningWith prefix: StoredValue) -> StoredValue? {
        if case .string(let text) = prefix { return end(ofTextsBeginningWith: text).map { .string($0) } }
        guard case .value(let place)? = ConstantPlaceholder(prefix) else { return nil }
        return ConstantPlaceholder.end(place).stored
    }

    private static func end(ofTextsBeginningWith prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars)
                text.append(scalar)
                return String(text)
            }
        }
        return nil
    }
}
