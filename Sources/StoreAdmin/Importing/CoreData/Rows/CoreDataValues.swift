import ContextCore
import Foundation

/// Converts the values of a Core Data store's columns to those of an attribute.
struct CoreDataValues {
    /// The reason why a value can't be taken over.
    enum Problem: String, Error, Sendable, CaseIterable {
        case kind = "the value is of another type"
        case range = "the number does not fit the attribute's type"
        case text = "the text is not valid UTF-8, or contains the character NUL"
        case date = "the date lies outside of the years -4712 to 294246"
        case missingFile = "the file with the value is missing"

        /// Whether the value itself is lost, and not only outside of the attribute's type.
        var isMissing: Bool { self == .missingFile }
    }

    /// Returns the contents of a file of the store's external data; nil if there is none.
    let externalData: @Sendable (_ name: String) -> Data?

    /// Converts a value to the type that an attribute of the source has.
    ///
    /// A transformable value stays data. A decimal number keeps all of its digits.
    func value(_ raw: StoredValue, _ attribute: CoreDataModel.Attribute) throws(Problem) -> StoredValue {
        if raw.isNull { return .null }
        switch attribute.type {
        case .bool: return .bool(try integer(raw, Int64.min...Int64.max) != 0)
        case .int16: return .int(try integer(raw, Int64(Int16.min)...Int64(Int16.max)))
        case .int32: return .int(try integer(raw, Int64(Int32.min)...Int64(Int32.max)))
        case .int64: return .int(try integer(raw, Int64.min...Int64.max))
        case .double: return .double(try double(raw))
        case .float: return .double(Double(Float(try double(raw))))
        case .decimal: return .decimal(try decimal(raw))
        case .date: return try date(raw)
        case .string, .uri: return .string(try text(raw))
        case .uuid:
            guard case .data(let data) = raw, let uuid = PlainValues.uuid(data) else { throw .kind }
            return .uuid(uuid)
        case .data, .transformable: return .data(try data(raw, attribute))
        case .undefined, .objectID, .composite: throw .kind
        }
    }

    private func integer(_ raw: StoredValue, _ range: ClosedRange<Int64>) throws(Problem) -> Int64 {
        var number: Int64?
        switch raw {
        case .int(let value): number = value
        case .double(let value): number = Int64(exactly: value)
        default: throw .kind
        }
        guard let number, range.contains(number) else { throw .range }
        return number
    }

    private func double(_ raw: StoredValue) throws(Problem) -> Double {
        switch raw {
        // Adding zero turns negative zero into zero.
        case .double(let value): value + 0
        case .int(let value): Double(value)
        default: throw .kind
        }
    }

    private func decimal(_ raw: StoredValue) throws(Problem) -> Decimal {
        switch raw {
        case .int(let value): return Decimal(value)
        case .double(let value):
            guard let decimal = Decimal(shortestOf: value) else { throw .range }
            return decimal
        case .string(let text):
            guard let decimal = Decimal(string: text), !decimal.isNaN else { throw .kind }
            return decimal
        default: throw .kind
        }
    }

    private static let dateCheck = ValueValidation(AttributeDescription("date", .date))

    private func date(_ raw: StoredValue) throws(Problem) -> StoredValue {
        let seconds = try double(raw)
        let value = Date(timeIntervalSinceReferenceDate: seconds).storedValue
        guard Self.dateCheck.failures(of: value).isEmpty else { throw .date }
        return value
    }

    private func text(_ raw: StoredValue) throws(Problem) -> String {
        switch raw {
        case .string(let text):
            if text.utf8.contains(0) { throw .text }
            return text
        case .data: throw .text
        // A column of texts also keeps numbers that another program wrote.
        case .int(let number): return String(number)
        default: throw .kind
        }
    }

    /// Returns the bytes of a value, which may be in a file of their own.
    ///
    /// If an attribute allows external storage, the first byte says where the value is: 1 in the rest of the column, 2 in a file, whose name
    /// follows.
    private func data(_ raw: StoredValue, _ attribute: CoreDataModel.Attribute) throws(Problem) -> Data {
        guard case .data(let data) = raw else {
            if case .string(let text) = raw { return Data(text.utf8) }
            throw .kind
        }
        guard attribute.allowsExternalStorage, let first = data.first else { return data }
        switch first {
        case 1: return Data(data.dropFirst())
        case 2:
            let name = String(decoding: data.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            // The name is a UUID; another one could lead out of the folder.
            guard UUID(uuidString: name) != nil, let contents = externalData(name) else { throw .missingFile }
            return contents
        default: return data
        }
    }
}

extension Decimal {
    /// Creates the shortest decimal number of a floating-point number; nil if there is none.
    ///
    /// It is the one that a program saved, if that had at most 15 digits.
    init?(shortestOf value: Double) {
        guard value.isFinite, let decimal = Decimal(string: "\(value)"), !decimal.isNaN,
            abs(NSDecimalNumber(decimal: decimal).doubleValue - value) <= abs(value) * 1e-12
        else { return nil }
        self = decimal
    }

    /// The number of digits before and after the decimal point, without zeros at the ends.
    var digitCounts: (whole: Int, fraction: Int) {
        var compact = self
        NSDecimalCompact(&compact)
        let digits = Decimal(sign: .plus, exponent: 0, significand: compact.significand).description.count
        let exponent = compact.exponent
        return (max(0, digits + exponent), max(0, -exponent))
    }
}
