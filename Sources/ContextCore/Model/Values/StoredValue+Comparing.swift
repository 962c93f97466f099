import Foundation

extension StoredValue {
    /// Whether the value is less than another of the same kind; false if the kinds differ or have no order.
    func isLess(than other: StoredValue) -> Bool {
        switch (self, other) {
        case (.int(let a), .int(let b)): a < b
        case (.double(let a), .double(let b)): a < b
        case (.decimal(let a), .decimal(let b)): a < b
        case (.timestamp(let a), .timestamp(let b)): a < b
        default: false
        }
    }

    /// The kind of value, for messages that must not contain the value.
    package var kindName: String {
        switch self {
        case .null: "no value"
        case .bool: "a Boolean"
        case .int: "an integer"
        case .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .string: "text"
        case .data: "data"
        case .timestamp: "a date"
        case .uuid: "a UUID"
        case .composite: "a composite"
        }
    }

    /// The number of characters of text, or of bytes of data; 0 for other values.
    var length: Int {
        switch self {
        case .string(let text): text.count
        case .data(let data): data.count
        case .null, .bool, .int, .double, .decimal, .timestamp, .uuid, .composite: 0
        }
    }

    /// Returns the text of a rule's bound, which messages may contain because the model declares it.
    func boundText(of type: AttributeType) -> String {
        switch (self, type) {
        case (.int(let value), _): "\(value)"
        case (.double(let value), .float): "\(Float(value))"
        case (.double(let value), _): "\(value)"
        case (.decimal(let value), _): "\(value)"
        case (.timestamp(let microseconds), _): CivilTime(microseconds: microseconds).text
        default: kindName
        }
    }
}
