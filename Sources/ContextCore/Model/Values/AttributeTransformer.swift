/// Turns a property's values into what a store keeps, and back: to encrypt, to compress, to encode in a way of one's own.
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
/// Rules, predicates and sorts see what is stored. A property reads and writes through the transformer by
/// `value(at: 2, by: Sealed.self)` and `setValue(newValue, at: 2, by: Sealed.self)`.
public protocol AttributeTransformer<Value>: Sendable {
    /// The type of the property.
    associatedtype Value
    /// The name by which the model knows it; it must never change.
    static var name: String { get }
    /// What a store keeps.
    static var storedType: AttributeType { get }

    /// Some value of the type, for key paths to be walked over and for where there is nothing to be read.
    static var placeholder: Value { get }

    /// Turns a property's value into what is stored.
    func storedValue(of value: Value) throws -> StoredValue
    /// Turns what is stored into a property's value.
    func value(from stored: StoredValue) throws -> Value
}
