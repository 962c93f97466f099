/// One side of a comparison, or one argument of a function, while it is being checked.
struct Operand {
    /// The expression as the caller wrote it.
    let source: FetchExpression
    /// The resolved expression.
    var expression: ResolvedExpression
    /// The type of the attribute, if the operand is an attribute and nothing else.
    var attributeType: AttributeType?
    /// Whether the operand is a column whose stored form can't be compared.
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
    /// Returns a constant of a type.
    static func constant(_ value: StoredValue, type: ResolvedType) -> ResolvedExpression {
        ResolvedExpression(.constant(value), type: type, isNullable: value.isNull)
    }

    /// Returns a function call, or its result if all arguments are constants.
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
    /// Makes the type of an attribute's values; nil for codable and composite attributes, which can't be compared.
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

    /// Makes the type of a constant; nil for a composite.
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
