public import Foundation

/// A Swift type that an attribute can have.
///
/// The standard types already conform. An enumeration with a raw value only needs to declare the conformance:
///
/// ```swift
/// enum Level: String, CaseIterable, AttributeValue { case easy, hard }
/// ```
public protocol AttributeValue: Sendable, PredicateArgument {
    /// The type of the value in a store.
    static var attributeType: AttributeType { get }
    /// Whether the value may be nil; true for `Optional`.
    static var isOptionalValue: Bool { get }
    /// Any value of the type. Key paths are resolved by applying them to an object whose attributes return it.
    static var placeholder: Self { get }
    /// The value in a store.
    var storedValue: StoredValue { get }
    /// Creates the value from a stored value; returns nil if the stored value has no equivalent.
    init?(storedValue: StoredValue)
}

extension AttributeValue {
    public static var isOptionalValue: Bool { false }
}

extension Bool: AttributeValue {
    public static var attributeType: AttributeType { .bool }
    public static var placeholder: Bool { false }
    public var storedValue: StoredValue { .bool(self) }
    public init?(storedValue: StoredValue) {
        guard case .bool(let value) = storedValue else { return nil }
        self = value
    }
}

extension AttributeValue where Self: FixedWidthInteger {
    public static var placeholder: Self { 0 }
    public var storedValue: StoredValue { .int(Int64(self)) }
    public init?(storedValue: StoredValue) {
        guard case .int(let value) = storedValue else { return nil }
        self.init(exactly: value)
    }
}

extension Int: AttributeValue { public static var attributeType: AttributeType { .int64 } }
extension Int8: AttributeValue { public static var attributeType: AttributeType { .int16 } }
extension Int16: AttributeValue { public static var attributeType: AttributeType { .int16 } }
extension Int32: AttributeValue { public static var attributeType: AttributeType { .int32 } }
extension Int64: AttributeValue { public static var attributeType: AttributeType { .int64 } }
extension UInt8: AttributeValue { public static var attributeType: AttributeType { .int16 } }
extension UInt16: AttributeValue { public static var attributeType: AttributeType { .int32 } }
extension UInt32: AttributeValue { public static var attributeType: AttributeType { .int64 } }

extension Double: AttributeValue {
    public static var attributeType: AttributeType { .double }
    public static var placeholder: Double { 0 }
    /// The stored value, in which negative zero is zero because databases treat it differently.
    public var storedValue: StoredValue { .double(self == 0 ? 0 : self) }
    public init?(storedValue: StoredValue) {
        guard case .double(let value) = storedValue else { return nil }
        self = value
    }
}

extension Float: AttributeValue {
    public static var attributeType: AttributeType { .float }
    public static var placeholder: Float { 0 }
    public var storedValue: StoredValue { Double(self).storedValue }
    public init?(storedValue: StoredValue) {
        guard case .double(let value) = storedValue else { return nil }
        self.init(value)
    }
}

extension Decimal: AttributeValue {
    /// 38 digits, 10 of them fractional, unless the attribute declares another precision and scale.
    public static var attributeType: AttributeType { .decimal(precision: 38, scale: 10) }
    public static var placeholder: Decimal { 0 }
    public var storedValue: StoredValue { .decimal(self) }
    public init?(storedValue: StoredValue) {
        guard case .decimal(let value) = storedValue else { return nil }
        self = value
    }
}

extension String: AttributeValue {
    public static var attributeType: AttributeType { .string }
    public static var placeholder: String { "" }
    public var storedValue: StoredValue { .string(self) }
    public init?(storedValue: StoredValue) {
        guard case .string(let value) = storedValue else { return nil }
        self = value
    }
}

extension Data: AttributeValue {
    public static var attributeType: AttributeType { .data }
    public static var placeholder: Data { Data() }
    public var storedValue: StoredValue { .data(self) }
    public init?(storedValue: StoredValue) {
        guard case .data(let value) = storedValue else { return nil }
        self = value
    }
}

extension UUID: AttributeValue {
    public static var attributeType: AttributeType { .uuid }
    public static var placeholder: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    public var storedValue: StoredValue { .uuid(self) }
    public init?(storedValue: StoredValue) {
        guard case .uuid(let value) = storedValue else { return nil }
        self = value
    }
}

extension URL: AttributeValue {
    public static var attributeType: AttributeType { .url }
    public static var placeholder: URL { URL(filePath: "/") }
    public var storedValue: StoredValue { .string(absoluteString) }
    public init?(storedValue: StoredValue) {
        guard case .string(let text) = storedValue else { return nil }
        self.init(string: text)
    }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    public static var attributeType: AttributeType { Wrapped.attributeType }
    public static var isOptionalValue: Bool { true }
    public static var placeholder: Wrapped? { Wrapped.placeholder }
    public var storedValue: StoredValue { self?.storedValue ?? .null }
    public init?(storedValue: StoredValue) {
        if storedValue.isNull {
            self = .none
            return
        }
        guard let value = Wrapped(storedValue: storedValue) else { return nil }
        self = value
    }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    public static var attributeType: AttributeType { RawValue.attributeType }
    public var storedValue: StoredValue { rawValue.storedValue }
    public init?(storedValue: StoredValue) {
        guard let raw = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: raw)
    }

    @available(
        *, unavailable,
        message: """
            An enumeration that an attribute can have also needs CaseIterable: enum Kind: String, CaseIterable, \
            AttributeValue. Without it, declare any case as the placeholder: static let placeholder = Kind.first.
            """
    )
    public static var placeholder: Self { programmingError("The type \(Self.self) has no placeholder.") }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable, RawValue: AttributeValue {
    public static var placeholder: Self {
        guard let first = allCases.first else {
            programmingError("\(Self.self) has no cases, so no attribute can have that type.")
        }
        return first
    }
}
