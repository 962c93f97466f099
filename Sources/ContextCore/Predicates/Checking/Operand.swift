/// One side of a comparison, or one argument of a function, while it is being checked.
struct Operand {
    /// What was written.
    let source: FetchExpression
    /// What it has become.
    var expression: ResolvedExpression
    /// The type of the attribute that it is, where it is nothing but that.
    var attributeType: AttributeType?
    /// Whether it is a column whose stored form compares in no meaningful way.
    var isOpaque = false

    var type: ResolvedType { expression.type }
    var constant: StoredValue? { expression.constant }
    var isNull: Bool { constant?.isNull ?? false }

    init(_ source: FetchExpression, _ expression: ResolvedExpression) {
        self.source = source
        self.expression = expression
    }
}

extension ResolvedExpression {
    /// Makes a constant of its own type.
    static func constant(_ value: StoredValue, type: ResolvedType) -> ResolvedExpression {
        ResolvedExpression(.constant(value), type: type, isNullable: value.isNull)
    }

    /// Makes the value of a function, at once where its arguments are constants.
    static func function(
        _ function: ResolvedFunction, _ arguments: [ResolvedExpression], type: ResolvedType,
        isNullable: Bool? = nil
    ) -> ResolvedExpression {
        let constants = arguments.compactMap(\.constant)
        if constants.count == arguments.count, function != .written(.now) {
            return constant(ValueFunctions.apply(function, constants, as: type), type: type)
        }
        return ResolvedExpression(
            .function(function, arguments), type: type,
            isNullable: isNullable ?? arguments.contains(where: \.isNullable))
    }
}

extension ResolvedType {
    /// The type of an attribute's values; nil for those that no store can compare.
    init?(_ type: AttributeType) {
        switch type {
        case .bool: self = .bool
        case .int16, .int32, .int64: self = .integer
        case .float, .double: self = .double
        case .decimal: self = .decimal
        case .string, .url: self = .string
        case .data: self = .data
        case .date: self = .date
        case .uuid: self = .uuid
        case .codable, .composite: return nil
        }
    }

    /// The type of a constant as it was written; nil for a composite.
    init?(_ value: StoredValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .bool
        case .int: self = .integer
        case .double: self = .double
        case .decimal: self = .decimal
        case .string: self = .string
        case .data: self = .data
        case .timestamp: self = .date
        case .uuid: self = .uuid
        case .composite: return nil
        }
    }

    var isNumber: Bool { self == .integer || self == .double || self == .decimal }

    var isObject: Bool {
        if case .object = self { true } else { false }
    }
}
