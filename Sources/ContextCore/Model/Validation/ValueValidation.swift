/// The validation of one attribute's values, prepared in advance.
///
/// A layout has one for each attribute. Validating a valid value takes a few nanoseconds and no allocation.
public struct ValueValidation: Sendable {
    private let isOptional: Bool
    private let type: TypeCheck
    private let rules: [RuleCheck]
    /// The fast check that accepts most valid values.
    let quick: QuickCheck

    /// Prepares the validation of an attribute's values.
    ///
    /// A derived attribute accepts all values, because the store computes them. A pattern that can't be parsed accepts all text;
    /// ``ObjectModel`` rejects such a pattern.
    public init(_ attribute: AttributeDescription) {
        if case .derived = attribute.storage {
            isOptional = true
            type = .anything
            rules = []
            quick = QuickCheck(.anything, isOptional: true)
        } else {
            isOptional = attribute.isOptional
            type = TypeCheck(attribute.type)
            rules = attribute.rules.compactMap { RuleCheck($0, of: attribute.type) }
            quick = QuickCheck(
                rules.isEmpty ? QuickCheck.Kind(attribute.type) : .unknown, isOptional: attribute.isOptional)
        }
    }

    /// Returns the rules that a value violates; an empty array if the value is valid.
    public func failures(of value: StoredValue) -> [ValueFailure] {
        if case .null = value {
            return isOptional ? [] : [ValueFailure(.required, "must have a value")]
        }
        if case .composite(let parts) = type { return Self.failures(of: value, parts) }
        if let failure = type.failure(of: value) { return [failure] }
        return rules.isEmpty ? [] : rules.compactMap { $0.failure(of: value) }
    }

    private static func failures(of value: StoredValue, _ parts: [TypeCheck.Part]) -> [ValueFailure] {
        guard case .composite(let values) = value, values.count == parts.count else {
            return [
                ValueFailure(.type, "must be a composite of \(parts.count) values, not \(value.kindName)")
            ]
        }
        var failures: [ValueFailure] = []
        for (part, value) in zip(parts, values) {
            for failure in part.validation.failures(of: value) { failures.append(failure.inPart(part.name)) }
        }
        return failures
    }
}
