import ContextCore

/// The transformer of attributes that the model stores through "sealed".
///
/// The model contains only its name. This one passes the stored values on: replace the type of the value and both functions.
struct SealedTransformer: AttributeTransformer {
    static let name = "sealed"
    static let storedType = AttributeType.codable
    static let placeholder = String.placeholder

    func storedValue(of value: String) -> StoredValue { value.storedValue }

    func value(from stored: StoredValue) -> String {
        String(storedValue: stored) ?? Self.placeholder
    }
}
