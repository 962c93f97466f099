/// Checks values against one attribute, with all that can be known beforehand worked out.
///
/// A layout keeps one for each attribute. A value that keeps the rules costs a few nanoseconds and no allocation.
public struct ValueValidation: Sendable {
    private let isOptional: Bool
    private let type: TypeCheck
    private let rules: [RuleCheck]
    /// What can be said of most values by one look.
    let quick: QuickCheck

    /// Prepares to check an attribute's values.
    ///
    /// A derived attribute's values are the store's own, and pass. So does all text where a pattern can't be parsed, which
    /// ``ObjectModel`` doesn't let through.
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

    /// Lists the rules that a value breaks; none when it may be saved.
    public func failures(of value: StoredValue) -> [ValueFailure] {
        if case .null = value {
            return isOptional ? [] : [ValueFailure(.required, "must have a value").of(value)]
        }
        if case .composite(let parts) = type { return Self.failures(of: value, parts) }
        if let failure = type.failure(of: value) { return [failure.of(value)] }
        return rules.isEmpty ? [] : rules.compactMap { $0.failure(of: value)?.of(value) }
    }

    private static func failures(of value: StoredValue, _ parts: [TypeCheck.Part]) -> [ValueFailure] {
        guard case .composite(let values) = value, values.count == parts.count else {
            return [
                ValueFailure(.type, "must be a composite of \(parts.count) values, not \(value.kindName)")
                    .of(value)
            ]
        }
        var failures: [ValueFailure] = []
        for (part, value) in zip(parts, values) {
            for failure in part.validation.failures(of: value) { failures.append(failure.inside(part.name)) }
        }
        return failures
    }
}
