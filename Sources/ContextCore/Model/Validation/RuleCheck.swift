import Foundation

/// A check of one declared rule, for values of the attribute's type.
enum RuleCheck: Sendable {
    /// A bound converted to the attribute's type, with its text for messages.
    struct Bound: Sendable {
        let value: StoredValue
        let text: String

        init(_ value: StoredValue, of type: AttributeType) {
            self.value = value.widened(to: type)
            text = self.value.boundText(of: type)
        }
    }

    case minimum(Bound)
    case maximum(Bound)
    case both(Bound, Bound)
    case length(minimum: Int, maximum: Int)
    case pattern(RegularExpression)

    /// Prepares a rule for an attribute of the type; returns nil if the rule requires nothing.
    init?(_ rule: ValidationRule, of type: AttributeType) {
        switch rule {
        case .range(let minimum?, let maximum?):
            self = .both(Bound(minimum, of: type), Bound(maximum, of: type))
        case .range(let minimum?, nil): self = .minimum(Bound(minimum, of: type))
        case .range(nil, let maximum?): self = .maximum(Bound(maximum, of: type))
        case .range(nil, nil): return nil
        case .length(let minimum, let maximum):
            self = .length(minimum: minimum ?? 0, maximum: maximum ?? .max)
        case .pattern(let source):
            guard let pattern = try? RegularExpression(source, options: []) else { return nil }
            self = .pattern(pattern)
        }
    }

    func failure(of value: StoredValue) -> ValueFailure? {
        switch self {
        case .minimum(let minimum): Self.failure(of: value, minimum: minimum)
        case .maximum(let maximum): Self.failure(of: value, maximum: maximum)
        case .both(let minimum, let maximum):
            Self.failure(of: value, minimum: minimum) ?? Self.failure(of: value, maximum: maximum)
        case .length(let minimum, let maximum):
            Self.failure(of: value, minimum: minimum, maximum: maximum)
        case .pattern(let pattern): Self.failure(of: value, pattern)
        }
    }

    private static func failure(of value: StoredValue, minimum: Bound) -> ValueFailure? {
        value.isLess(than: minimum.value)
            ? ValueFailure(.minimum, "must be at least \(minimum.text)") : nil
    }

    private static func failure(of value: StoredValue, maximum: Bound) -> ValueFailure? {
        maximum.value.isLess(than: value)
            ? ValueFailure(.maximum, "must be at most \(maximum.text)") : nil
    }

    private static func failure(of value: StoredValue, minimum: Int, maximum: Int) -> ValueFailure? {
        let (unit, units, isShort, isLong) =
            switch value {
            // A character has at least one byte, so for most texts the number of bytes decides, without counting characters.
            case .string(let text):
                (
                    "character", "characters",
                    text.utf8.count < minimum || minimum > 0 && text.count < minimum,
                    text.utf8.count > maximum && text.count > maximum
                )
            case .data(let data): ("byte", "bytes", data.count < minimum, data.count > maximum)
            default: ("", "", false, false)
            }
        if isShort {
            return ValueFailure(
                .minimumLength, "must have at least \(minimum.counted(unit, units))",
                valueKind: value.length.counted(unit, units))
        }
        if isLong {
            return ValueFailure(
                .maximumLength, "must have at most \(maximum.counted(unit, units))",
                valueKind: value.length.counted(unit, units))
        }
        return nil
    }

    private static func failure(of value: StoredValue, _ pattern: RegularExpression) -> ValueFailure? {
        guard case .string(let text) = value, !pattern.matches(folded: text) else { return nil }
        return ValueFailure(.pattern, "must match the pattern \(pattern.pattern)")
    }
}
