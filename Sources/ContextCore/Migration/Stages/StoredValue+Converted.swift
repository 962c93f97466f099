import Foundation

extension StoredValue {
    /// Returns the value converted to the type of another attribute; nil if it can't be converted.
    ///
    /// Numbers are converted if they stay exact. A value with a text form is converted to that text, and the text form of a value
    /// to the value.
    package func converted(to type: AttributeType) -> StoredValue? {
        if isNull { return .null }
        switch type {
        case .bool: return exact(.bool, type)
        case .int16: return exact(.integer, type).flatMap { $0.fits(Int16.self) ? $0 : nil }
        case .int32: return exact(.integer, type).flatMap { $0.fits(Int32.self) ? $0 : nil }
        case .int64: return exact(.integer, type)
        case .double: return exact(.double, type)
        case .float: return exact(.double, type).flatMap { $0.isInfinite == isInfinite ? $0 : nil }
        case .decimal:
            return exact(.decimal, type).flatMap { TypeCheck(type).failure(of: $0) == nil ? $0 : nil }
        case .date: return exact(.date, type)
        case .uuid: return exact(.uuid, type)
        case .string, .url, .codable: return plainText.map(StoredValue.string)
        case .data: if case .data = self { return self } else { return nil }
        case .composite: if case .composite = self { return self } else { return nil }
        }
    }

    private func exact(_ type: ResolvedType, _ attribute: AttributeType) -> StoredValue? {
        ConvertedConstant(numberOfText(for: type) ?? self, to: type, attribute: attribute)?.exact
    }

    /// Returns the number that a text represents; nil if the text isn't a number of the type.
    private func numberOfText(for type: ResolvedType) -> StoredValue? {
        guard case .string(let text) = self else { return nil }
        switch type {
        case .integer: return Int64(text).map(StoredValue.int)
        case .double: return Double(text).flatMap { $0.isNaN ? nil : .double($0) }
        default: return nil
        }
    }

    private func fits<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Bool {
        if case .int(let value) = self { Integer(exactly: value) != nil } else { false }
    }

    private var isInfinite: Bool {
        if case .double(let value) = self { value.isInfinite } else { false }
    }

    private var plainText: String? {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): value.description
        case .decimal(let value): value.description
        case .string(let value): value
        case .timestamp(let microseconds): CivilTime(microseconds: microseconds).text
        case .uuid(let value): value.uuidString
        case .null, .data, .composite: nil
        }
    }
}
