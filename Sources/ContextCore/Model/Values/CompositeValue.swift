/// A struct with one column per part, so that predicates and sort keys can use the parts.
///
/// `@Composite` generates the conformance; written by hand, it looks like this:
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
/// The stored parts are sorted by the bytes of their names, in any order of declaration. A part can't be named `storedValue`, `self`,
/// `init` or `Type`, and its name can't start with an underscore.
public protocol CompositeValue: AttributeValue {
    /// The parts in any order; they must be attributes, and not composites.
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
