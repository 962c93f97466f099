import ContextCore

/// The default of a column, as an attribute can have it.
enum ColumnDefault: Equatable {
    /// There is none: the column is null.
    case none
    case value(AttributeDefault)
    /// The current day, without the time of day that the default of an attribute has.
    case today

    private static let nowFunctions: Set<String> = [
        "now", "current_timestamp", "localtimestamp", "transaction_timestamp", "statement_timestamp",
        "clock_timestamp",
    ]
    private static let uuidFunctions: Set<String> = [
        "gen_random_uuid", "uuid_generate_v4", "uuidv4", "uuidv7", "uuid_generate_v1",
    ]

    /// Reads the expression of a column's default for an attribute; nil if an attribute can't have it.
    init?(_ text: String, of column: TableStructure.Column, for attribute: AttributeDescription) {
        guard let expression = SQLExpression(text) else { return nil }
        switch expression {
        case .null: self = .none
        case .number(let text): self.init(number: text, for: attribute)
        case .text(let text):
            // The text form of an array isn't JSON, except that of an empty one.
            if column.isArray, text != "{}" { return nil }
            self.init(.string(column.isArray ? "[]" : text), for: attribute)
        case .array(let members) where members.isEmpty && column.isArray:
            self.init(.string("[]"), for: attribute)
        case .bool(let value): self.init(.bool(value), for: attribute)
        case .call(let name, _) where Self.uuidFunctions.contains(name) && attribute.type == .uuid:
            self = .value(.newUUID)
        default:
            guard attribute.type == .date else { return nil }
            if Self.isToday(expression) || column.hasOnlyDays && Self.isNow(expression) {
                self = .today
            } else if Self.isNow(expression) {
                self = .value(.now)
            } else {
                return nil
            }
        }
    }

    private init?(number: String, for attribute: AttributeDescription) {
        if let value = Int64(number) {
            self.init(.int(value), for: attribute)
            return
        }
        // The text keeps all digits of a decimal number.
        self.init(.string(number), for: attribute)
    }

    /// Converts a literal to the attribute's type, and checks its rules.
    private init?(_ raw: StoredValue, for attribute: AttributeDescription) {
        guard let value = try? DatabaseValues().value(raw, of: attribute.type),
            ValueValidation(attribute).failures(of: value).isEmpty
        else { return nil }
        self = .value(.value(value))
    }

    /// Whether an expression is the current day: `CURRENT_DATE`, `now()::date`, or `date('now')` of SQLite.
    private static func isToday(_ expression: SQLExpression) -> Bool {
        switch expression {
        case .call("current_date", let arguments): arguments.isEmpty
        case .call("date", let arguments): arguments == [.text("now")]
        case .cast(let inner, "date"): isNow(inner)
        default: false
        }
    }

    /// Whether an expression is the current time: `now()`, also in UTC, or `datetime('now')` of SQLite.
    private static func isNow(_ expression: SQLExpression) -> Bool {
        switch expression {
        case .call("datetime", let arguments): arguments == [.text("now")]
        case .call("strftime", let arguments):
            arguments.count == 2 && arguments[1] == .text("now") && isFullTime(arguments[0])
        case .call("timezone", let arguments): isUTC(arguments)
        case .call(let name, let arguments): nowFunctions.contains(name) && arguments.isEmpty
        case .cast(let inner, let type): type.hasPrefix("timestamp") && isNow(inner)
        default: false
        }
    }

    /// Whether a format of SQLite's `strftime` has the date and the time of day.
    private static func isFullTime(_ format: SQLExpression) -> Bool {
        guard case .text(let text) = format, text.hasPrefix("%Y-%m-%d") else { return false }
        return text.contains("%H:%M:%S") || text.contains("%H:%M:%f")
    }

    /// Whether the arguments of PostgreSQL's `timezone` are UTC and the current time.
    private static func isUTC(_ arguments: [SQLExpression]) -> Bool {
        guard arguments.count == 2, case .text(let zone) = arguments[0] else { return false }
        // The local time isn't that of UTC.
        return zone.lowercased() == "utc" && arguments[1] != .call("localtimestamp", [])
            && isNow(arguments[1])
    }
}
