public import Foundation

/// Dates are kept to the microsecond, so that what was saved equals what is fetched.
extension Date: AttributeValue {
    /// Microseconds between 1970 and 2001, where `Date` counts from.
    private static let referenceOffset: Int64 = 978_307_200_000_000

    public static var attributeType: AttributeType { .date }
    public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }

    /// The moment in microseconds since 1970; clamped at the ends of what 64 bits hold.
    public var microseconds: Int64 {
        let fromReference = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
        guard let whole = Int64(exactly: fromReference) else {
            return fromReference < 0 ? .min : .max
        }
        return whole.addingReportingOverflow(Self.referenceOffset).overflow
            ? .max : whole + Self.referenceOffset
    }

    /// Makes a date from microseconds since 1970.
    public init(microseconds: Int64) {
        let (whole, overflow) = microseconds.subtractingReportingOverflow(Self.referenceOffset)
        self.init(timeIntervalSinceReferenceDate: Double(overflow ? .min : whole) / 1_000_000)
    }

    public var storedValue: StoredValue { .timestamp(microseconds: microseconds) }

    public init?(storedValue: StoredValue) {
        guard case .timestamp(let microseconds) = storedValue else { return nil }
        self.init(microseconds: microseconds)
    }
}
