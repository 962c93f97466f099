import Foundation

/// Checks one declared rule, once the value is known to be of the attribute's type.
enum RuleCheck: Sendable {
    case minimum(StoredValue)
    case maximum(StoredValue)
    case both(StoredValue, StoredValue)
    case length(minimum: Int, maximum: Int)
    case pattern(TextPattern)

    /// Prepares a rule; nil when it asks for nothing.
    init?(_ rule: ValidationRule) {
        switch rule {
        case .range(let minimum?, let maximum?): self = .both(minimum, maximum)
        case .range(let minimum?, nil): self = .minimum(minimum)
        case .range(nil, let maximum?): self = .maximum(maximum)
        case .range(nil, nil): return nil
        case .length(let minimum, let maximum):
            self = .length(minimum: minimum ?? 0, maximum: maximum ?? .max)
        case .pattern(let source):
            guard let pattern = try? TextPattern(source) else { return nil }
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

    private static func failure(of value: StoredValue, minimum: StoredValue) -> ValueFailure? {
        value.isLess(than: minimum)
            ? ValueFailure(.minimum, "must be at least \(minimum.textOfBound)") : nil
    }

    private static func failure(of value: StoredValue, maximum: StoredValue) -> ValueFailure? {
        maximum.isLess(than: value)
            ? ValueFailure(.maximum, "must be at most \(maximum.textOfBound)") : nil
    }

    private static func failure(of value: StoredValue, minimum: Int, maximum: Int) -> ValueFailure? {
        let (unit, isShort, isLong) =
            switch value {
            // A character has at least one byte, so bytes answer for most texts without counting characters.
            case .string(let text):
                (
                    "character", text.utf8.count < minimum || minimum > 0 && text.count < minimum,
                    text.utf8.count > maximum && text.count > maximum
                )
            case .data(let data): ("byte", data.count < minimum, data.count > maximum)
            default: ("character", false, false)
            }
        if isShort {
            return ValueFailure(
                .minimumLength, "must have at least \(minimum) \(unit)\(minimum == 1 ? "" : "s")")
        }
        if isLong {
            return ValueFailure(
                .maximumLength, "must have at most \(maximum) \(unit)\(maximum == 1 ? "" : "s")")
        }
        return nil
    }

    private static func failure(of value: StoredValue, _ pattern: TextPattern) -> ValueFailure? {
        guard case .string(let text) = value, !pattern.matches(text) else { return nil }
        return ValueFailure(.pattern, "must match the pattern \(pattern.source)")
    }
}
