import Foundation

extension ResolvedType {
    /// The type of a constant.
    init(_ value: StoredValue) {
        switch value {
        case .null, .composite: self = .null
        case .bool: self = .bool
        case .int: self = .integer
        case .double: self = .double
        case .decimal: self = .decimal
        case .string: self = .string
        case .data: self = .data
        case .timestamp: self = .date
        case .uuid: self = .uuid
        }
    }

    var isNumber: Bool { self == .integer || self == .double || self == .decimal }

    /// The type in a sentence.
    var sentenceName: String {
        switch self {
        case .null: "nothing"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .string: "text"
        case .data: "data"
        case .date: "a moment"
        case .uuid: "a UUID"
        case .object: "an object"
        }
    }
}

extension StoredValue {
    /// A constant as another type, where that loses nothing; nil otherwise.
    func converted(to type: ResolvedType) -> StoredValue? {
        switch (self, type) {
        case (.null, _): .null
        case (.int(let value), .double): Int64(exactly: Double(value)) == value ? .double(Double(value)) : nil
        case (.int(let value), .decimal): .decimal(Decimal(value))
        case (.int(let value), .bool): value == 0 || value == 1 ? .bool(value == 1) : nil
        case (.int(let value), .object): .int(value)
        case (.double(let value), .integer): Int64(exactly: value).map(StoredValue.int)
        case (.double(let value), .decimal): Self.decimal(exactly: value).map(StoredValue.decimal)
        case (.decimal(let value), .double): .double(NSDecimalNumber(decimal: value).doubleValue)
        case (.decimal(let value), .integer): Self.integer(exactly: value).map(StoredValue.int)
        case (.string(let text), .date): CivilTime.microseconds(of: text).map { .timestamp(microseconds: $0) }
        case (.string(let text), .uuid): UUID(uuidString: text).map(StoredValue.uuid)
        case (.string(let text), .object): ObjectID(uri: text).map { .int($0.key) }
        default: nil
        }
    }

    private static func decimal(exactly value: Double) -> Decimal? {
        value.isFinite ? Decimal(string: value.description, locale: Locale(identifier: "en_US_POSIX")) : nil
    }

    private static func integer(exactly value: Decimal) -> Int64? {
        let number = NSDecimalNumber(decimal: value).int64Value
        return Decimal(number) == value ? number : nil
    }
}
