/// Checks that an attribute's rules fit its type and can be satisfied.
struct RuleChecking {
    let attribute: AttributeDescription
    let entity: String
    let property: String

    func check(_ problems: inout ModelProblems) {
        guard !attribute.rules.isEmpty else { return }
        if case .derived = attribute.storage {
            return report(
                "The store computes the attribute, so it can't have rules: remove them.", &problems)
        }
        var kinds: Set<Int> = []
        for rule in attribute.rules {
            if let message = message(about: rule) {
                report(message, &problems)
            } else if !kinds.insert(rule.kind).inserted {
                report("It has two rules of the same kind: combine them.", &problems)
            }
        }
    }

    private func report(_ message: String, _ problems: inout ModelProblems) {
        problems.report(.invalidRule, entity, property, message)
    }

    private func message(about rule: ValidationRule) -> String? {
        let type = attribute.type.displayName
        switch rule {
        case .range(let minimum, let maximum):
            guard attribute.type.hasRange else {
                return "A range is for numbers and dates, and the attribute is \(type): remove the rule."
            }
            return message(aboutRangeFrom: minimum, to: maximum)
        case .length(let minimum, let maximum):
            guard attribute.type.hasLength else {
                return "A length is for text and data, and the attribute is \(type): remove the rule."
            }
            return message(aboutLengthFrom: minimum, to: maximum)
        case .pattern(let pattern):
            guard attribute.type == .string || attribute.type == .url else {
                return "A pattern is for text, and the attribute is \(type): remove the rule."
            }
            do {
                _ = try RegularExpression(pattern, options: [])
                return nil
            } catch {
                return
                    "The pattern “\(pattern)” can't be read as a regular expression: \(error.description). Correct the pattern."
            }
        }
    }

    private func message(aboutRangeFrom minimum: StoredValue?, to maximum: StoredValue?) -> String? {
        let bounds = [minimum, maximum].compactMap { $0 }
        if bounds.isEmpty { return "A range needs a minimum or a maximum: give one, or remove the rule." }
        let check = TypeCheck(attribute.type)
        if let failure = bounds.lazy.compactMap(check.failure).first {
            return "A bound of its range \(failure.message): correct it."
        }
        if let minimum, let maximum, maximum.isLess(than: minimum) {
            return
                "The minimum of its range is greater than the maximum, so no value could be saved: correct them."
        }
        return nil
    }

    private func message(aboutLengthFrom minimum: Int?, to maximum: Int?) -> String? {
        guard minimum != nil || maximum != nil else {
            return "A length needs a minimum or a maximum: give one, or remove the rule."
        }
        guard (minimum ?? 0) >= 0, (maximum ?? 0) >= 0 else {
            return "A length can't be negative: correct it."
        }
        guard minimum ?? 0 <= maximum ?? .max else {
            return
                "The minimum length is greater than the maximum length, so no value could be saved: correct them."
        }
        return nil
    }
}

extension ValidationRule {
    /// A number that is the same for all rules of a kind.
    fileprivate var kind: Int {
        switch self {
        case .range: 0
        case .length: 1
        case .pattern: 2
        }
    }
}
