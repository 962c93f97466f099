/// How the values of a property are masked.
enum MaskRule: String, CaseIterable, Sendable {
    /// A digest of the value in the property's type.
    case hash
    /// A plausible text.
    case fake
    /// No value.
    case null
}
