#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

extension SQLiteStatement {
    /// Binds values to the parameters in order; the caller binds the values that change with each run later.
    ///
    /// - Parameter now: The time at which the request began.
    func bind(_ bindings: [SQLBinding], now: Date? = nil) throws(StoreError) {
        let microseconds = bindings.contains(.now) ? (now ?? Date()).microseconds : 0
        for (index, binding) in bindings.enumerated() {
            switch binding {
            case .value(let value, let type): try bind(Int32(index + 1), value, as: type)
            case .list(let values, let type):
                try bind(Int32(index + 1), ValueList.json(values, type))
            case .now: bind(Int32(index + 1), microseconds)
            case .keys(let keys): try bind(Int32(index + 1), keys: keys)
            case .parameter: break
            }
        }
    }

    /// Binds a value, encoded as in a column of a type.
    func bind(_ index: Int32, _ value: StoredValue, as type: SQLType) throws(StoreError) {
        switch value {
        case .null: bindNull(index)
        case .bool(let value): bind(index, Int64(value ? 1 : 0))
        case .int(let value): bind(index, value)
        case .double(let value): bind(index, value)
        case .decimal(let value): try bind(index, decimal: value, as: type)
        case .string(let value): try bind(index, value)
        case .data(let value):
            try bindCopy(index, [UInt8](value))
        case .timestamp(let microseconds): bind(index, microseconds)
        case .uuid(let value):
            try bindCopy(index, withUnsafeBytes(of: value.uuid) { [UInt8]($0) })
        case .composite:
            throw StoreError(
                .unsupportedRequest, "A composite can't be compared as a whole.",
                remedy: "Compare its properties instead.")
        }
    }

    /// Binds a decimal number, as an integer if the type has a scale that fits, otherwise as sortable text.
    func bind(_ index: Int32, decimal: Decimal, as type: SQLType) throws(StoreError) {
        guard case .decimal(let precision, let scale) = type,
            precision <= ScaledDecimal.maximumIntegerPrecision
        else {
            return try bind(index, SortableDecimal.text(of: decimal))
        }
        bind(index, try ScaledDecimal.exactInteger(decimal, scale: scale))
    }

    /// Binds many keys as one JSON array.
    private func bind(_ index: Int32, keys: [Int64]) throws(StoreError) {
        var json = "["
        json.reserveCapacity(keys.count * 8)
        for (position, key) in keys.enumerated() {
            if position > 0 { json += "," }
            json += String(key)
        }
        json += "]"
        try bind(index, json)
    }
}
#endif
