/// A struct whose parts become columns of their own, so that predicates and sorts can name them.
///
/// `@Composite` writes the conformance; by hand it reads:
///
/// ```swift
/// struct Address {
///     var street: String
///     var city: String?
/// }
///
/// extension Address: CompositeValue {
///     static var partDescriptions: [PropertyDescription] {
///         [.property("street", String.self), .property("city", String?.self)]
///     }
///     static var placeholder: Address { Address(street: .placeholder, city: .placeholder) }
///     var storedValue: StoredValue { .composite([city.storedValue, street.storedValue]) }
///     init?(storedValue: StoredValue) {
///         guard case .composite(let _parts) = storedValue, _parts.count == 2,
///             let city = String?(storedValue: _parts[0]), let street = String(storedValue: _parts[1])
///         else { return nil }
///         self.init(street: street, city: city)
///     }
/// }
/// ```
///
/// The stored parts stand in the order of the bytes of their names, whatever the order of the declaration. A part can have any
/// name but `storedValue`, `self`, `init` and `Type`, and none that begins with an underscore.
public protocol CompositeValue: AttributeValue {
    /// Describes the parts, in any order: attributes only, and no composites among them.
    static var partDescriptions: [PropertyDescription] { get }
}

extension CompositeValue {
    public static var attributeType: AttributeType {
        let parts = partDescriptions.map { part in
            guard case .attribute(let attribute) = part.kind else {
                programmingError(
                    "“\(part.name)” of \(Self.self) is a relationship; a composite has only attributes.")
            }
            return attribute
        }
        return .composite(parts.sortedByBytes(of: \.name))
    }
}
