/// A conversion between a property's values and stored values, for example to encrypt, compress or encode them.
///
/// ```swift
/// struct Sealed: AttributeTransformer {
///     static let name = "sealed"
///     static let storedType = AttributeType.data
///     static let placeholder = ""
///     let key: Key
///
///     func storedValue(of text: String) throws -> StoredValue { .data(try key.seal(text)) }
///     func value(from stored: StoredValue) throws -> String { try key.open(stored) }
/// }
///
/// let model = try ObjectModel([Patient.self], transformers: [Sealed(key: key)])
/// ```
///
/// Validation rules, predicates and sort keys apply to the stored values. A property reads and writes through the transformer with
/// `value(at: 2, by: Sealed.self)` and `setValue(newValue, at: 2, by: Sealed.self)`.
public protocol AttributeTransformer<Value>: Sendable {
    /// The type of the property.
    associatedtype Value
    /// The name of the transformer in the model; it must stay the same in all versions.
    static var name: String { get }
    /// The type of the stored values.
    static var storedType: AttributeType { get }

    /// Any value of the type, used to resolve key paths and when there is no value to read.
    static var placeholder: Value { get }

    /// Converts a property's value to a stored value.
    func storedValue(of value: Value) throws -> StoredValue
    /// Converts a stored value to a property's value.
    func value(from stored: StoredValue) throws -> Value
}
