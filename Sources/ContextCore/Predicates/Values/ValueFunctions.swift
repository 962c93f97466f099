import Foundation

/// The functions of predicates, which are the same in every store.
package enum ValueFunctions {
    /// The scalars that `trim` removes: those with the Unicode property White_Space.
    package static let whiteSpace =
        "\t\n\u{B}\u{C}\r \u{85}\u{A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}"
        + "\u{2007}\u{2008}\u{2009}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}"

    private static let whiteScalars = Set(whiteSpace.unicodeScalars)

    /// Applies a function; null if an argument is null, except for ``FetchFunction/coalesce``.
    ///
    /// The evaluator handles ``FetchFunction/now``.
    package static func apply(_ function: FetchFunction, _ arguments: [StoredValue]) -> StoredValue {
        if function == .coalesce { return arguments.first { !$0.isNull } ?? .null }
        guard let first = arguments.first, !arguments.contains(where: \.isNull) else { return .null }
        switch function {
        case .negate, .abs, .ceiling, .floor, .round: return number(function, first)
        case .modulo: return modulo(first, arguments[1])
        case .lowercase, .uppercase, .length, .trim: return text(function, first)
        case .concat: return concat(arguments)
        case .year, .month, .day, .hour, .minute, .second, .weekday: return datePart(function, of: first)
        case .coalesce, .now: return .null
        }
    }

    /// Applies a function of a resolved expression.
    ///
    /// - Parameter type: The type of the expression.
    package static func apply(
        _ function: ResolvedFunction, _ arguments: [StoredValue], as type: ResolvedType
    ) -> StoredValue {
        switch (function, arguments.first) {
        case (.written(let written), _): apply(written, arguments)
        case (.fold(let options), .string(let text)): .string(TextFolding.fold(text, options))
        case (.convert, .int(let value)): type == .decimal ? .decimal(Decimal(value)) : .double(Double(value))
        default: .null
        }
    }
}

// MARK: - Numbers

extension ValueFunctions {
    private static func number(_ function: FetchFunction, _ value: StoredValue) -> StoredValue {
        switch value {
        case .int(let number): integer(function, number)
        case .double(let number): double(function, number)
        case .decimal(let number): decimal(function, number)
        default: .null
        }
    }

    private static func integer(_ function: FetchFunction, _ value: Int64) -> StoredValue {
        switch function {
        case .negate: ValueArithmetic.apply(.subtract, .int(0), .int(value))
        case .abs: value < 0 ? ValueArithmetic.apply(.subtract, .int(0), .int(value)) : .int(value)
        default: .int(value)
        }
    }

    private static func double(_ function: FetchFunction, _ value: Double) -> StoredValue {
        let result =
            switch function {
            case .negate: -value
            case .abs: abs(value)
            case .ceiling: value.rounded(.up)
            case .floor: value.rounded(.down)
            default: value.rounded(.toNearestOrAwayFromZero)
            }
        return ValueArithmetic.double(result, of: value)
    }

    private static func decimal(_ function: FetchFunction, _ value: Decimal) -> StoredValue {
        switch function {
        case .negate: .decimal(-value)
        case .abs: .decimal(abs(value))
        case .ceiling: .decimal(value.rounded(.up))
        case .floor: .decimal(value.rounded(.down))
        default: .decimal(value < 0 ? -(-value).rounded(.plain) : value.rounded(.plain))
        }
    }

    private static func modulo(_ left: StoredValue, _ right: StoredValue) -> StoredValue {
        guard case (.int(let a), .int(let b)) = (left, right), b != 0 else { return .null }
        // `Int64.min % -1` would trap, because its quotient overflows.
        return .int(b == -1 ? 0 : a % b)
    }
}

extension Decimal {
    /// Returns the number rounded to `scale` fraction digits.
    func rounded(_ rule: NSDecimalNumber.RoundingMode, scale: Int = 0) -> Decimal {
        var (value, result) = (self, Decimal())
        NSDecimalRound(&result, &value, scale, rule)
        return result
    }
}

// MARK: - Text and time

extension ValueFunctions {
    private static func text(_ function: FetchFunction, _ value: StoredValue) -> StoredValue {
        if case .data(let data) = value, function == .length { return .int(Int64(data.count)) }
        guard case .string(let text) = value else { return .null }
        switch function {
        case .lowercase: return .string(TextFolding.lowercased(text))
        case .uppercase: return .string(TextFolding.uppercased(text))
        case .length: return .int(Int64(text.unicodeScalars.count))
        default: return .string(trimmed(text))
        }
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !whiteScalars.contains($0) }),
            let end = scalars.lastIndex(where: { !whiteScalars.contains($0) })
        else { return "" }
        return String(scalars[start...end])
    }

    private static func concat(_ values: [StoredValue]) -> StoredValue {
        var result = ""
        for case .string(let text) in values { result += text }
        return .string(result)
    }

    private static func datePart(_ function: FetchFunction, of value: StoredValue) -> StoredValue {
        guard case .timestamp(let microseconds) = value else { return .null }
        if function == .weekday { return .int(CivilTime.weekday(microseconds: microseconds)) }
        let time = CivilTime(microseconds: microseconds)
        switch function {
        case .year: return .int(time.year)
        case .month: return .int(time.month)
        case .day: return .int(time.day)
        case .hour: return .int(time.hour)
        case .minute: return .int(time.minute)
        default: return .int(time.second)
        }
    }
}
