public import Foundation

/// The value of a property in a new object.
///
/// Literals can be written directly; other values use ``constant(_:)``.
public struct InitialValue<Value> {
    fileprivate enum Kind {
        case constant(Value)
        case now
        case newUUID
    }

    fileprivate let kind: Kind

    fileprivate init(_ kind: Kind) {
        self.kind = kind
    }

    /// Gives every object the same initial value.
    public static func constant(_ value: Value) -> InitialValue {
        InitialValue(.constant(value))
    }
}

extension InitialValue: Sendable where Value: Sendable {}
extension InitialValue.Kind: Sendable where Value: Sendable {}

extension InitialValue where Value == Date {
    /// The time of insertion.
    public static var now: InitialValue { InitialValue(.now) }
}

extension InitialValue where Value == Date? {
    /// The time of insertion.
    public static var now: InitialValue { InitialValue(.now) }
}

extension InitialValue where Value == UUID {
    /// A new UUID for each object.
    public static var newUUID: InitialValue { InitialValue(.newUUID) }
}

extension InitialValue where Value == UUID? {
    /// A new UUID for each object.
    public static var newUUID: InitialValue { InitialValue(.newUUID) }
}

extension InitialValue: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Value.IntegerLiteralType) {
        self.init(.constant(Value(integerLiteral: value)))
    }
}

extension InitialValue: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Value.FloatLiteralType) {
        // The literal arrives as a Double, from which Foundation makes 0.07000000000000001024 if 0.07 was written.
        let exact = Value.self == Decimal.self ? Decimal(exactly: "\(value)") as? Value : nil
        self.init(.constant(exact ?? Value(floatLiteral: value)))
    }
}

extension InitialValue: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Value.BooleanLiteralType) {
        self.init(.constant(Value(booleanLiteral: value)))
    }
}

extension InitialValue: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByStringLiteral {
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
        self.init(.constant(Value(unicodeScalarLiteral: value)))
    }
}

extension InitialValue: ExpressibleByExtendedGraphemeClusterLiteral where Value: ExpressibleByStringLiteral {
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self.init(.constant(Value(extendedGraphemeClusterLiteral: value)))
    }
}

extension InitialValue: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    public init(stringLiteral value: Value.StringLiteralType) {
        self.init(.constant(Value(stringLiteral: value)))
    }
}

extension InitialValue where Value: AttributeValue {
    /// The default as the model stores it; nil for a constant nil, which counts as no default.
    var attributeDefault: AttributeDefault? {
        switch kind {
        case .now: .now
        case .newUUID: .newUUID
        case .constant(let value): value.storedValue.isNull ? nil : .value(value.storedValue)
        }
    }
}

extension InitialValue where Value: Encodable {
    /// The default of an attribute that is stored as JSON.
    var codableDefault: AttributeDefault? {
        let value: Value
        switch kind {
        // The model rejects these two for an attribute that is stored as JSON.
        case .now: return .now
        case .newUUID: return .newUUID
        case .constant(let constant): value = constant
        }
        do {
            let stored = try CodableCoding.storedValue(of: value)
            return stored.isNull ? nil : .value(stored)
        } catch {
            programmingError("The default of type \(Value.self) can't be encoded as JSON: \(error)")
        }
    }
}
