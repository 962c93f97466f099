import ContextCore

/// Formats stored values for tables and JSON documents.
enum ValueText {
    /// Returns the cell for a value of a column.
    static func cell(_ value: StoredValue, _ kind: ColumnLayout.Kind, in model: ObjectModel) -> RowSet.Cell {
        switch kind {
        case .attribute(let type): RowSet.Cell(text: text(value), json: value.fileValue(of: type))
        case .reference(let destination):
            if case .int(let key) = value {
                RowSet.Cell(text: "\(model.layouts[destination].name):\(key)", json: .number(String(key)))
            } else {
                RowSet.Cell(text: text(.null), json: .null)
            }
        }
    }

    /// Returns the cell for a value without a declared type.
    static func cell(_ value: StoredValue) -> RowSet.Cell {
        RowSet.Cell(text: text(value), json: value.fileValue(of: type(of: value)))
    }

    static func text(_ value: StoredValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let text): text
        case .data(let data): "<\(Quantity.bytes(Int64(data.count)))>"
        case .timestamp(let microseconds): CivilTime(microseconds: microseconds).text
        case .uuid(let uuid): uuid.uuidString
        case .composite(let parts): parts.map(text).joined(separator: ", ")
        }
    }

    private static func type(of value: StoredValue) -> AttributeType {
        switch value {
        case .bool: .bool
        case .int: .int64
        case .double: .double
        case .decimal: .decimal(precision: 38, scale: 10)
        case .data: .data
        case .timestamp: .date
        case .uuid: .uuid
        case .null, .string, .composite: .string
        }
    }
}

extension AttributeType {
    /// The name of the type in tables and diagrams.
    var title: String {
        switch self {
        case .bool: "bool"
        case .int16: "int16"
        case .int32: "int32"
        case .int64: "int64"
        case .float: "float"
        case .double: "double"
        case .decimal(let precision, let scale): "decimal(\(precision), \(scale))"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .uuid: "uuid"
        case .url: "url"
        case .codable: "json"
        case .composite: "composite"
        }
    }
}
