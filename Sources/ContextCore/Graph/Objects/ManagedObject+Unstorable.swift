// Compiler errors for properties whose type can't be stored. Without them, the compiler reports the last overload that
// doesn't match.
extension ManagedObject {
    @available(
        *, unavailable,
        message: """
            A property needs a type that can be stored: an AttributeValue, a class of managed objects, a Set or an Array of \
            one, or any Codable type with @Attribute(.codable). An enumeration becomes an AttributeValue by its declaration: \
            enum Kind: String, CaseIterable, AttributeValue.
            """
    )
    public final func value<Value>(at slot: Int) -> Value { programmingError("The type can't be stored.") }

    @available(
        *, unavailable,
        message: """
            A property needs a type that can be stored: an AttributeValue, a class of managed objects, a Set or an Array of \
            one, or any Codable type with @Attribute(.codable). An enumeration becomes an AttributeValue by its declaration: \
            enum Kind: String, CaseIterable, AttributeValue.
            """
    )
    public final func setValue<Value>(_ value: Value, at slot: Int) {
        programmingError("The type can't be stored.")
    }
}
