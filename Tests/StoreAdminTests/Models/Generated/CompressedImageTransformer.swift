import ContextCore

/// The transformer of attributes that the model stores through "compressed image".
///
/// The model contains only its name. This one passes the stored values on: replace the type of the value and both functions.
struct CompressedImageTransformer: AttributeTransformer {
    static let name = "compressed image"
    static let storedType = AttributeType.data
    static let placeholder = Data.placeholder

    func storedValue(of value: Data) -> StoredValue { value.storedValue }

    func value(from stored: StoredValue) -> Data {
        Data(storedValue: stored) ?? Self.placeholder
    }
}
