public import Foundation

/// Dates have microsecond precision in stores, so that a saved date equals the fetched one.
extension Date: AttributeValue {
    /// The microseconds between 1970 and 2001, the reference date of `Date`.
    private static let referenceOffset: Int64 = 978_307_200_000_000

    public static var attributeType: AttributeType { .date }
    public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }

    /// The date in microseconds since 1970, clamped to the range of 64 bits.
    public var microseconds: Int64 {
        let fromReference = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
        guard let whole = Int64(exactly: fromReference) else {
            return fromReference < 0 ? .min : .max
        }
        return whole.addingReportingOverflow(Self.referenceOffset).overflow
            ? .max : whole + Self.referenceOffset
    }

    /// Creates a date from microseconds since 1970.
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
