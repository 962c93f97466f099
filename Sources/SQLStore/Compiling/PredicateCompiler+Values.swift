import ContextCore
import Foundation

extension PredicateCompiler {
    /// Returns the SQL expression of a value and its type.
    func value(_ expression: ResolvedExpression) throws(StoreError) -> TypedSQL {
        switch expression.node {
        case .constant(let value):
            let type = Self.type(of: expression.type)
            return TypedSQL(value.isNull ? .null : .binding(.value(value, type)), type)
        case .property(let property): return self.property(property)
        case .arithmetic(let operation, let left, let right):
            return try arithmetic(operation, left, right, of: expression.type)
        case .function(.written(.now), _): return TypedSQL(.binding(.now), .date)
        case .function(let function, let arguments):
            return try call(function, arguments, of: expression.type)
        case .conditional(let condition, let then, let otherwise):
            let (first, second) = (generalized(try value(then)), generalized(try value(otherwise)))
            return TypedSQL(
                .conditional(
                    try self.condition(condition, isFilter: true), then: first.sql, else: second.sql),
                Self.type(of: expression.type))
        case .aggregate(let aggregate): return try self.aggregate(aggregate)
        }
    }

    /// Returns the SQL type of a computed value.
    static func type(of type: ResolvedType) -> SQLType {
        switch type {
        case .null, .string: .text
        case .bool: .bool
        case .integer: .integer(bits: 64)
        case .double: .double(bits: 64)
        case .decimal: .anyDecimal
        case .data: .data
        case .date: .date
        case .uuid: .uuid
        case .object: .key
        }
    }

    /// Whether a constant can be stored exactly in a column of a type.
    static func fits(_ value: StoredValue, _ type: SQLType) -> Bool {
        guard case .decimal(let number) = value, case .decimal(let precision, let scale) = type else {
            return true
        }
        var exact = number
        var rounded = Decimal()
        NSDecimalRound(&rounded, &exact, scale, .plain)
        return rounded == number && number.magnitude < pow(10, precision - scale)
    }

    /// Converts a decimal column to the type that holds any number; returns other values unchanged.
    func anyDecimal(_ value: TypedSQL) -> TypedSQL {
        guard case .decimal = value.type else { return value }
        if case .binding(.value(let constant, _)) = value.sql {
            return TypedSQL(.binding(.value(constant, .anyDecimal)), .anyDecimal)
        }
        return TypedSQL(.call(SQLFunction(.convert(from: value.type), .anyDecimal), [value.sql]), .anyDecimal)
    }

    /// Converts a value to a type that does not depend on the column it comes from.
    func generalized(_ value: TypedSQL) -> TypedSQL {
        switch value.type {
        case .decimal: anyDecimal(value)
        case .integer: TypedSQL(value.sql, .integer(bits: 64))
        case .double: TypedSQL(value.sql, .double(bits: 64))
        case .json: TypedSQL(value.sql, .text)
        default: value
        }
    }

    private func arithmetic(
        _ operation: ArithmeticOperator, _ left: ResolvedExpression, _ right: ResolvedExpression,
        of result: ResolvedType
    ) throws(StoreError) -> TypedSQL {
        let (first, second) = (generalized(try value(left)), generalized(try value(right)))
        let type = Self.type(of: result)
        let name: SQLFunction.Name =
            switch (left.type, right.type) {
            case (.date, .date): .interval
            case (.date, _), (_, .date): .shift(operation, by: second.type)
            default: .arithmetic(operation)
            }
        return TypedSQL(.call(SQLFunction(name, type), [first.sql, second.sql]), type)
    }

    private func call(
        _ function: ResolvedFunction, _ arguments: [ResolvedExpression], of result: ResolvedType
    ) throws(StoreError) -> TypedSQL {
        var values: [SQLExpression] = []
        var argumentType = SQLType.text
        for argument in arguments {
            let value = generalized(try value(argument))
            argumentType = value.type
            values.append(value.sql)
        }
        let type = Self.type(of: result)
        let call: SQLFunction =
            switch function {
            case .written(.length): SQLFunction(.written(.length), argumentType)
            case .written(let written): SQLFunction(.written(written), type)
            case .fold(let options): SQLFunction(.fold(options), .text)
            case .convert: SQLFunction(.convert(from: argumentType), type)
            }
        return TypedSQL(.call(call, values), type)
    }
}

// MARK: - Aggregates

extension PredicateCompiler {
    /// Returns an aggregate over the objects of a relationship or over the rows of a group.
    private func aggregate(_ aggregate: ResolvedAggregate) throws(StoreError) -> TypedSQL {
        guard let collection = aggregate.collection else {
            return try call(aggregate, in: self, order: [scopes[0].key])
        }
        var type = SQLType.integer(bits: 64)
        let query = try related(collection, where: aggregate.filter) { inner, order throws(StoreError) in
            let value = try call(aggregate, in: inner, order: order)
            type = value.type
            return value.sql
        }
        return TypedSQL(.scalar(query), type)
    }

    /// - Parameter order: The order in which values are added, for sums whose result depends on it.
    private func call(
        _ aggregate: ResolvedAggregate, in compiler: PredicateCompiler, order: [SQLExpression]
    ) throws(StoreError) -> TypedSQL {
        var value = try aggregate.value.map { (value) throws(StoreError) in try compiler.value(value) }
        if aggregate.collection == nil, let filter = aggregate.filter {
            let condition = try compiler.condition(filter, isFilter: true)
            value = TypedSQL(
                .conditional(condition, then: value?.sql ?? .number(1), else: .null),
                value?.type ?? .integer(bits: 64))
        }
        let type = value?.type ?? .key
        let call = SQLFunction(.aggregate(aggregate.function), type)
        let operands = value.map { [$0.sql] } ?? []
        switch aggregate.function {
        case .count: return TypedSQL(.call(call, operands), .integer(bits: 64))
        case .minimum, .maximum: return TypedSQL(.call(call, operands), type)
        case .sum, .average:
            let sum: SQLType =
                switch type {
                case .decimal, .anyDecimal: .anyDecimal
                case .double: .double(bits: 64)
                default: .integer(bits: 64)
                }
            // Sums of integers are exact in any order.
            let isExact = sum == .integer(bits: 64)
            return TypedSQL(
                .call(call, operands + (isExact ? [] : order)),
                aggregate.function == .sum ? sum : .double(bits: 64))
        }
    }
}
