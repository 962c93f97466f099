extension AttributeDefault {
    /// Gives every object the same initial value.
    public static func constant<Value: AttributeValue>(_ value: Value) -> AttributeDefault {
        .value(value.storedValue)
    }
}

extension AttributeDefault: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self = .value(.int(value)) }
}

extension AttributeDefault: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Double) { self = .value(value.storedValue) }
}

extension AttributeDefault: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
}

extension AttributeDefault: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .value(.string(value)) }
}
