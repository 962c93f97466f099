#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

extension SQLiteStatement {
    /// Returns the value of a result column, decoded as a type.
    func value(_ place: Int32, _ type: SQLType) throws(StoreError) -> StoredValue {
        if isNull(place) { return .null }
        switch type {
        case .bool: return .bool(integer(place) != 0)
        case .key, .integer: return .int(integer(place))
        case .double: return .double(double(place))
        case .decimal, .anyDecimal: return .decimal(try decimal(value(place), type))
        case .text, .json, .keys: return .string(try text(place))
        case .data: return .data(Data(bytes(place)))
        case .date: return .timestamp(microseconds: integer(place))
        case .uuid: return .uuid(try uuid(bytes(place)))
        }
    }

    func uuid(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> UUID {
        guard bytes.count == 16 else { throw corruptValueError("a UUID") }
        return bytes.loadUnaligned(as: UUID.self)
    }

    func decimal(_ value: SQLiteValue, _ type: SQLType) throws(StoreError) -> Decimal {
        if case .decimal(let precision, let scale) = type, precision <= ScaledDecimal.maximumIntegerPrecision
        {
            return ScaledDecimal.number(value.integer, scale: scale)
        }
        guard let number = SortableDecimal.number(try text(value)) else {
            throw corruptValueError("a decimal number")
        }
        return number
    }
}
#endif
