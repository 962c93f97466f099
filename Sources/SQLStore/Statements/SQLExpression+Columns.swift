extension SQLExpression {
    /// Returns the expression with renamed columns, all of one table; columns in subqueries keep their names.
    func renamingColumns(_ name: (String) -> String) -> SQLExpression {
        func renamed(_ expression: SQLExpression) -> SQLExpression { expression.renamingColumns(name) }
        switch self {
        case .column(of: let table, let column): return .column(of: table, name(column))
        case .binding, .null, .truth, .number, .exists, .scalar: return self
        case .comparison(let left, let comparison, let right):
            return .comparison(renamed(left), comparison, renamed(right))
        case .isNull(let value): return .isNull(renamed(value))
        case .isNotNull(let value): return .isNotNull(renamed(value))
        case .isAmong(let value, let others): return .isAmong(renamed(value), others.map(renamed))
        case .isListed(let value, let values, let type): return .isListed(renamed(value), values, type)
        case .not(let condition): return .not(renamed(condition))
        case .and(let members): return .and(members.map(renamed))
        case .or(let members): return .or(members.map(renamed))
        case .truthTest(let condition, let truth): return .truthTest(renamed(condition), truth)
        case .conditional(let condition, then: let first, else: let second):
            return .conditional(renamed(condition), then: renamed(first), else: renamed(second))
        case .call(let function, let arguments): return .call(function, arguments.map(renamed))
        case .rowNumber(let partition, let order):
            return .rowNumber(partition: partition.map(renamed), order: order)
        }
    }
}
