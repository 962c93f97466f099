/// Names why an attribute can't keep what a conversion works out for an object.
package enum ConversionProblem: Error, Hashable, Sendable, CaseIterable {
    /// The number has more digits behind the point than the attribute.
    case remainder
    /// A number was divided by zero.
    case divisionByZero
    /// The exact result has more digits than 128 bits hold.
    case digits
    /// The value is too large for the attribute, or isn't one of its type.
    case unkept

    /// Says what is wrong with some objects.
    ///
    /// Example: `It divides by zero in 12 of 50 objects.`
    package func sentence(_ path: String, _ objects: String) -> String {
        switch self {
        case .remainder: "It leaves a remainder, which \(path) has no digits for, in \(objects)."
        case .divisionByZero: "It divides by zero in \(objects)."
        case .digits: "Its exact result has more digits than a decimal number holds in \(objects)."
        case .unkept: "Its result is too large for \(path), or not of its type, in \(objects)."
        }
    }

    /// What helps.
    package var remedy: String {
        switch self {
        case .remainder:
            "Round it, as in “round(cents / 3 * 100) / 100”, or give the attribute a larger scale"
        case .divisionByZero: "Say what the value is there, as in “TERNARY(count == 0, 0, total / count)”"
        case .digits: "Round intermediate results"
        case .unkept: "Correct the conversion, the attribute's type or the values"
        }
    }
}
