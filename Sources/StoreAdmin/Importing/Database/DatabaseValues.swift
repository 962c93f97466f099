import ContextCore
import Foundation

/// Converts the values of another program's tables to those of attributes.
struct DatabaseValues: Sendable {
    /// What a number in a column of dates counts, since its type doesn't define it.
    enum NumericDates: String, CaseIterable, Sendable {
        case seconds, milliseconds, julian
    }

    /// The meaning of numbers in columns of dates; nil if they are errors.
    var numericDates: NumericDates?
    private let texts = ImportValueReader()

    /// Converts a value to an attribute's type; it doesn't check the attribute's rules.
    func value(_ raw: StoredValue, of type: AttributeType) throws(ImportValueReader.Failure) -> StoredValue {
        let converted: StoredValue?
        switch (raw, type) {
        case (.null, _): return .null
        case (.string(let text), .data): converted = .data(Data(text.utf8))
        case (.string(let text), _): return try texts.value(text, of: type)
        case (_, .bool): converted = Self.bool(raw)
        case (_, .int16), (_, .int32), (_, .int64): converted = Self.integer(raw)
        case (_, .float), (_, .double): converted = Self.double(raw)
        case (_, .decimal): converted = Self.decimal(raw)
        case (_, .string), (_, .url): converted = Self.text(raw)
        case (_, .codable): converted = Self.json(raw)
        case (_, .date): return try date(raw)
        case (.data, .data), (.uuid, .uuid): converted = raw
        case (.data(let data), .uuid): converted = PlainValues.uuid(data).map { .uuid($0) }
        default: converted = nil
        }
        guard let converted else { throw ImportValueReader.Failure(form: type.textForm) }
        return converted
    }

    private static func bool(_ raw: StoredValue) -> StoredValue? {
        switch raw {
        case .bool: raw
        case .int(0): .bool(false)
        case .int(1): .bool(true)
        default: nil
        }
    }

    private static func integer(_ raw: StoredValue) -> StoredValue? {
        switch raw {
        case .int: raw
        case .bool(let value): .int(value ? 1 : 0)
        case .double(let value): Int64(exactly: value).map { .int($0) }
        default: nil
        }
    }

    private static func double(_ raw: StoredValue) -> StoredValue? {
        switch raw {
        // Adding zero turns negative zero into zero.
        case .double(let value): .double(value + 0)
        case .int(let value): .double(Double(value))
        default: nil
        }
    }

    private static func decimal(_ raw: StoredValue) -> StoredValue? {
        switch raw {
        case .int(let value): .decimal(Decimal(value))
        case .double(let value): Decimal(shortestOf: value).map { .decimal($0) }
        default: nil
        }
    }

    private static func text(_ raw: StoredValue) -> StoredValue? {
        switch raw {
        case .int(let value): .string(String(value))
        case .double(let value): .string("\(value)")
        case .bool(let value): .string(value ? "true" : "false")
        case .uuid(let value): .string(value.uuidString.lowercased())
        case .timestamp(let microseconds): .string(CivilTime(microseconds: microseconds).text)
        default: nil
        }
    }

    /// SQLite stores a column with the type JSON as a number if its text is one.
    private static func json(_ raw: StoredValue) -> StoredValue? {
        switch raw {
        case .int(let value): .string(String(value))
        case .double(let value) where value.isFinite: .string("\(value)")
        default: nil
        }
    }

    private func date(_ raw: StoredValue) throws(ImportValueReader.Failure) -> StoredValue {
        let number: Double
        switch raw {
        case .timestamp: return raw
        case .int(let value): number = Double(value)
        case .double(let value): number = value
        default: throw ImportValueReader.Failure(form: AttributeType.date.textForm)
        }
        guard let numericDates else {
            throw ImportValueReader.Failure(form: "a date, or a number whose meaning --numeric-dates gives")
        }
        let microseconds =
            switch numericDates {
            case .seconds: number * 1_000_000
            case .milliseconds: number * 1000
            // The number of days since noon on November 24 of the year -4713; 1970 began with the day 2440587.5.
            case .julian: (number - 2_440_587.5) * 86_400_000_000
            }
        guard let whole = Int64(exactly: microseconds.rounded()) else {
            throw ImportValueReader.Failure(form: AttributeType.date.textForm)
        }
        return .timestamp(microseconds: whole)
    }
}
