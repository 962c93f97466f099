/// The reason why the result of a conversion can't be stored.
package enum ConversionProblem: Error, Hashable, Sendable, CaseIterable {
    /// The number has more fractional digits than the attribute.
    case remainder
    /// A number was divided by zero.
    case divisionByZero
    /// The exact result has more digits than 128 bits can represent.
    case digits
    /// The value is too large for the attribute, or has another type.
    case unrepresentable

    /// Returns a sentence about the objects with this problem.
    ///
    /// Example: `It divides by zero in 12 of 50 objects.`
    package func sentence(_ path: String, _ objects: String) -> String {
        switch self {
        case .remainder: "Its result has more fractional digits than \(path) in \(objects)."
        case .divisionByZero: "It divides by zero in \(objects)."
        case .digits: "Its exact result has more digits than a decimal number can have in \(objects)."
        case .unrepresentable: "Its result is too large for \(path), or has another type, in \(objects)."
        }
    }

    /// What to do about it.
    package var remedy: String {
        switch self {
        case .remainder:
            "Round it, as in “round(cents / 3 * 100) / 100”, or give the attribute a larger scale"
        case .divisionByZero: "Give a value for that case, as in “TERNARY(count == 0, 0, total / count)”"
        case .digits: "Round intermediate results"
        case .unrepresentable: "Correct the conversion, the attribute's type or the values"
        }
    }
}
