package import ContextCore

/// The type of a column or a bound value, independent of the dialect.
package enum SQLType: Hashable, Sendable {
    /// A row's key, or a reference to one.
    case key
    case bool
    /// An integer of 16, 32 or 64 bits.
    case integer(bits: Int)
    /// A floating-point number of 32 or 64 bits.
    case double(bits: Int)
    /// A decimal number with a total number of digits and a number of digits after the point.
    case decimal(precision: Int, scale: Int)
    /// A decimal number of any size, for computations and comparisons of columns of different sizes.
    case anyDecimal
    case text
    case data
    case date
    case uuid
    case json
    /// Many keys as one parameter.
    case keys

    /// The type of an attribute's column.
    package init(_ type: AttributeType) {
        switch type {
        case .bool: self = .bool
        case .int16: self = .integer(bits: 16)
        case .int32: self = .integer(bits: 32)
        case .int64: self = .integer(bits: 64)
        case .float: self = .double(bits: 32)
        case .double: self = .double(bits: 64)
        case .decimal(let precision, let scale): self = .decimal(precision: precision, scale: scale)
        case .string, .url: self = .text
        case .data: self = .data
        case .date: self = .date
        case .uuid: self = .uuid
        case .codable: self = .json
        case .composite: programmingError("A composite attribute has no column; its parts have.")
        }
    }

    /// The type of a column of a row.
    package init(_ kind: ColumnLayout.Kind) {
        switch kind {
        case .reference: self = .key
        case .attribute(let type): self = SQLType(type)
        }
    }
}

extension SQLType {
    /// The type without its size, in one byte, for branches on each value of a result.
    package enum Kind: Sendable {
        case key, bool, integer, double, decimal, text, data, date, uuid, json, keys
        /// The version of an external value that is not loaded; no type has this kind.
        case stamp
    }

    package var kind: Kind {
        switch self {
        case .key: .key
        case .bool: .bool
        case .integer: .integer
        case .double: .double
        case .decimal, .anyDecimal: .decimal
        case .text: .text
        case .data: .data
        case .date: .date
        case .uuid: .uuid
        case .json: .json
        case .keys: .keys
        }
    }
}
