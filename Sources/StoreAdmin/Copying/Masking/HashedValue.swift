import ContextCore
import Foundation

/// Replaces the values of an attribute by digests in its type, within the bounds of its rules.
struct HashedValue {
    /// The dates of an attribute without bounds: from 1970 until 2038, in microseconds.
    private static let dates: ClosedRange<Int64> = 0...2_147_483_647_000_000
    /// The number of hexadecimal digits in a text without bounds.
    private static let digits = 32

    let attribute: AttributeDescription
    let digest: MaskDigest

    /// The reason why the digests would be invalid or not unique; nil if there is none.
    func problem(isUnique: Bool) -> String? {
        if attribute.rules.contains(where: \.isPattern) { return "a digest wouldn't match its pattern" }
        let limit = attribute.lengthBounds.upperBound
        if attribute.type == .url, limit < 60 || attribute.lengthBounds.lowerBound > 60 {
            return "a URL with a digest has 52 characters"
        }
        let isTooSmall =
            switch attribute.type {
            case .bool, .float: true
            case .string: limit < 12
            case .data: limit < 6
            case .decimal(_, let scale):
                scaledBounds(scale).upperBound.subtractingReportingOverflow(scaledBounds(scale).lowerBound)
                    .partialValue < 1 << 40
            default: false
            }
        return isUnique && isTooSmall ? "it is unique, and has too few values for digests" : nil
    }

    /// Returns the digest of a value that isn't null.
    func value(_ value: StoredValue) -> StoredValue {
        let value = CanonicalJSON.value(value, .attribute(attribute.type))
        if case .int(let number) = value { return .int(digest.number(number, in: bounds(for: number))) }
        let bytes = digest.bytes(of: value)
        let number = MaskDigest.number(bytes)
        switch attribute.type {
        case .bool: return .bool(bytes[0] & 1 == 1)
        case .float, .double: return fraction(number)
        case .decimal(_, let scale):
            let digits = Self.number(number, in: scaledBounds(scale))
            return .decimal(
                Decimal(
                    sign: digits < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(abs(digits))))
        case .date: return .timestamp(microseconds: Self.number(number, in: dateBounds))
        case .uuid: return .uuid(Self.uuid(bytes))
        case .data: return .data(Data(repeated(bytes, count: 32)))
        case .url: return .string("https://example.com/" + MaskDigest.hex(bytes).prefix(Self.digits))
        case .codable: return .string("\"\(MaskDigest.hex(bytes).prefix(Self.digits))\"")
        case .string: return .string(String(repeated(Array(MaskDigest.hex(bytes)), count: Self.digits)))
        case .int16, .int32, .int64, .composite: return value
        }
    }

    // MARK: Bounds

    /// Returns the numbers with the sign of a number that the type and the rules allow.
    private func bounds(for number: Int64) -> ClosedRange<Int64> {
        let type: ClosedRange<Int64> =
            switch attribute.type {
            case .int16: Int64(Int16.min)...Int64(Int16.max)
            case .int32: Int64(Int32.min)...Int64(Int32.max)
            default: .min ... .max
            }
        let (minimum, maximum) = attribute.range
        var (lower, upper) = (type.lowerBound, type.upperBound)
        if case .int(let bound)? = minimum { lower = max(lower, bound) }
        if case .int(let bound)? = maximum { upper = min(upper, bound) }
        if number >= 0, upper >= 0 { lower = max(lower, 0) }
        if number < 0, lower < 0 { upper = min(upper, -1) }
        return lower...max(lower, upper)
    }

    private var dateBounds: ClosedRange<Int64> {
        let (minimum, maximum) = attribute.range
        var (lower, upper) = (Self.dates.lowerBound, Self.dates.upperBound)
        if case .timestamp(let bound)? = minimum { lower = bound }
        if case .timestamp(let bound)? = maximum { upper = bound }
        if lower > upper { if minimum == nil { lower = upper } else { upper = lower } }
        return lower...upper
    }

    /// Returns the decimal numbers of at most 15 digits that the type and the rules allow, times a power of ten.
    private func scaledBounds(_ scale: Int) -> ClosedRange<Int64> {
        guard case .decimal(let precision, _) = attribute.type else { return 0...0 }
        let greatest = NSDecimalNumber(decimal: pow(10, min(precision, 15)) - 1).int64Value
        let (minimum, maximum) = attribute.range
        func scaled(_ bound: StoredValue?, _ default: Int64, _ mode: NSDecimalNumber.RoundingMode) -> Int64 {
            guard case .decimal(let bound)? = bound else { return `default` }
            var (product, rounded) = (bound * pow(10, scale), Decimal())
            NSDecimalRound(&rounded, &product, 0, mode)
            return abs(rounded) <= Decimal(greatest)
                ? NSDecimalNumber(decimal: rounded).int64Value : `default`
        }
        let lower = scaled(minimum, 0, .up)
        let upper = scaled(maximum, greatest, .down)
        return minimum == nil && upper < lower ? upper...upper : lower...max(lower, upper)
    }

    private func fraction(_ number: UInt64) -> StoredValue {
        let (minimum, maximum) = attribute.range
        func bound(_ value: StoredValue?) -> Double? {
            guard case .double(let number)? = value, number.isFinite else { return nil }
            return number
        }
        let lower = bound(minimum) ?? bound(maximum).map { $0 - 1_000_000 } ?? 0
        let upper = bound(maximum) ?? lower + 1_000_000
        let value = lower + (upper - lower) * Double(number >> 11) / Double(1 << 53 as UInt64)
        return .double(attribute.type == .float ? Double(Float(value)) : value)
    }

    private static func number(_ number: UInt64, in bounds: ClosedRange<Int64>) -> Int64 {
        let distance = UInt64(bitPattern: bounds.upperBound &- bounds.lowerBound)
        return distance == .max
            ? Int64(bitPattern: number) : bounds.lowerBound &+ Int64(bitPattern: number % (distance + 1))
    }

    /// Returns a UUID of version 4.
    private static func uuid(_ bytes: [UInt8]) -> UUID {
        var bytes = Array(bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns elements in a number that the attribute's rules allow.
    private func repeated<Element>(_ elements: [Element], count: Int) -> [Element] {
        let bounds = attribute.lengthBounds
        let length = min(max(count, bounds.lowerBound), bounds.upperBound)
        return (0..<length).map { elements[$0 % elements.count] }
    }
}

extension ValidationRule {
    /// Whether the rule is a regular expression.
    var isPattern: Bool { if case .pattern = self { true } else { false } }
}

extension AttributeDescription {
    /// The least and the greatest length that the rules allow.
    var lengthBounds: ClosedRange<Int> {
        for case .length(let minimum, let maximum) in rules { return (minimum ?? 0)...(maximum ?? .max) }
        return 0 ... .max
    }

    /// The bounds that the rules give to a number or a date.
    fileprivate var range: (minimum: StoredValue?, maximum: StoredValue?) {
        for case .range(let minimum, let maximum) in rules { return (minimum, maximum) }
        return (nil, nil)
    }
}
