extension AttributeType {
    /// The name of the type in a sentence.
    var displayName: String {
        switch self {
        case .bool: "a Boolean"
        case .int16: "a 16-bit integer"
        case .int32: "a 32-bit integer"
        case .int64: "a 64-bit integer"
        case .float: "a 32-bit floating-point number"
        case .double: "a 64-bit floating-point number"
        case .decimal(let precision, let scale): "a decimal number (\(precision), \(scale))"
        case .string: "text"
        case .data: "data"
        case .date: "a date"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .codable: "a codable value"
        case .composite: "a composite"
        }
    }

    /// Whether its values are numbers or dates, which have an order.
    var hasRange: Bool {
        switch self {
        case .int16, .int32, .int64, .float, .double, .decimal, .date: true
        default: false
        }
    }

    /// Whether its values have a length.
    var hasLength: Bool {
        switch self {
        case .string, .data, .url: true
        default: false
        }
    }

    /// Whether it is stored in one column whose values all stores compare in the same way.
    var isPlain: Bool {
        switch self {
        case .codable, .composite: false
        default: true
        }
    }

    /// Whether stores support a decimal number of this precision and scale.
    static func isValidDecimal(_ precision: Int, _ scale: Int) -> Bool {
        (1...38).contains(precision) && (0...precision).contains(scale)
    }

    /// The type of a sum of its values; nil if its values can't be added.
    var sumType: AttributeType? {
        switch self {
        case .int16, .int32, .int64: .int64
        case .float, .double: .double
        case .decimal: self
        default: nil
        }
    }
}
