import Foundation

extension StoredValue {
    /// Tells whether the value stands before another of the same kind; false where the kinds differ or have no order.
    func isLess(than other: StoredValue) -> Bool {
        switch (self, other) {
        case (.int(let a), .int(let b)): a < b
        case (.double(let a), .double(let b)): a < b
        case (.decimal(let a), .decimal(let b)): a < b
        case (.timestamp(let a), .timestamp(let b)): a < b
        default: false
        }
    }

    /// What kind of value it is, for messages that must not show it.
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

    /// What kind of value it is, and how long it is where it has a length.
    var sizedKindName: String {
        switch self {
        case .string(let text): "text of \(text.count) character\(text.count == 1 ? "" : "s")"
        case .data(let data): "data of \(data.count) byte\(data.count == 1 ? "" : "s")"
        case .null, .bool, .int, .double, .decimal, .timestamp, .uuid, .composite: kindName
        }
    }

    /// The bound of a rule, which the model declares and messages may show.
    func textOfBound(of type: AttributeType) -> String {
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
