/// A fast check that accepts most valid values; a value that it doesn't accept needs the full validation.
///
/// A save checks every value of every new object, so a list of checks must be small and contain no reference-counted values.
struct QuickCheck: Sendable {
    /// The type of an attribute that has no validation rules.
    enum Kind: Sendable {
        case anything, bool, integer, double, string, data, date, uuid
        /// The attribute needs the full validation.
        case unknown

        init(_ type: AttributeType) {
            self =
                switch type {
                case .bool: .bool
                case .int64: .integer
                case .double: .double
                case .string: .string
                case .data: .data
                case .date: .date
                case .uuid: .uuid
                case .int16, .int32, .float, .decimal, .url, .codable, .composite: .unknown
                }
        }
    }

    let kind: Kind
    let isOptional: Bool

    init(_ kind: Kind, isOptional: Bool) {
        self.kind = kind
        self.isOptional = isOptional
    }

    /// Whether a value is valid; false also for some valid values, which need the full validation.
    @inline(__always)
    func accepts(_ value: StoredValue) -> Bool {
        if kind == .anything { return true }
        switch value {
        case .null: return isOptional
        case .bool: return kind == .bool
        case .int: return kind == .integer
        case .double(let number): return kind == .double && !number.isNaN
        case .string(let text): return kind == .string && !text.containsNUL
        case .data: return kind == .data
        case .timestamp(let microseconds): return kind == .date && TypeCheck.dateRange.contains(microseconds)
        case .uuid: return kind == .uuid
        case .decimal, .composite: return false
        }
    }
}
