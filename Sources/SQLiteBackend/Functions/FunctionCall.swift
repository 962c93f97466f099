#if SQLite
import CSQLite
import ContextCore
import Foundation

/// A call of a registered function: its arguments and its result.
struct FunctionCall {
    // Both are valid until the function returns, and the call must not escape.
    let context: OpaquePointer
    private let arguments: UnsafeMutablePointer<OpaquePointer?>?
    let count: Int

    init(_ context: OpaquePointer, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        self.context = context
        self.arguments = arguments
        self.count = Int(count)
    }

    // MARK: Arguments

    private func argument(_ index: Int) -> SQLiteValue { SQLiteValue(handle: arguments?[index]) }

    func isNull(_ index: Int) -> Bool { argument(index).isNull }

    func isInteger(_ index: Int) -> Bool { sqlite3_value_type(arguments?[index]) == SQLITE_INTEGER }

    func integer(_ index: Int) -> Int64 { argument(index).integer }

    func double(_ index: Int) -> Double { argument(index).double }

    /// Returns the bytes of a text or blob, valid until the function returns.
    func bytes(_ index: Int) -> UnsafeRawBufferPointer { argument(index).bytes }

    /// Returns a text; a text that is not valid UTF-8 makes the statement fail.
    func text(_ index: Int) -> String {
        let bytes = bytes(index)
        if !WellFormedText.isValidUTF8(bytes) { sqlite3_result_error_code(context, SQLITE_CORRUPT) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a number as the in-memory evaluator represents it, or null for null and invalid decimal text.
    func number(_ index: Int, _ kind: FunctionSpelling.Number) -> StoredValue {
        if isNull(index) { return .null }
        switch kind {
        case .integer: return .int(integer(index))
        case .double: return .double(double(index))
        case .decimal: return SortableDecimal.number(text(index)).map { .decimal($0) } ?? .null
        }
    }

    // MARK: Results

    /// Sets the result of the call.
    func setResult(_ value: StoredValue) {
        switch value {
        case .null: sqlite3_result_null(context)
        case .bool(let value): sqlite3_result_int64(context, value ? 1 : 0)
        case .int(let value), .timestamp(let value): sqlite3_result_int64(context, value)
        case .double(let value): sqlite3_result_double(context, value)
        case .decimal(let value): setResult(SortableDecimal.text(of: value))
        case .string(let value): setResult(value)
        case .data(let value): value.withUnsafeBytes { setResult(data: $0) }
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { setResult(data: $0) }
        case .composite: fail("An expression can't have a composite value.")
        }
    }

    func setResult(_ isTrue: Bool) { sqlite3_result_int64(context, isTrue ? 1 : 0) }

    func setResult(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            let address = UnsafeRawPointer(bytes.baseAddress) ?? SQLiteStatement.emptyBytes
            // assumingMemoryBound: bytes may be read as any type of one byte.
            let base = address.assumingMemoryBound(to: CChar.self)
            sqlite3_result_text64(
                context, base, UInt64(bytes.count), SQLiteStatement.transientDestructor, UInt8(SQLITE_UTF8))
        }
    }

    func setResult(data: UnsafeRawBufferPointer) {
        sqlite3_result_blob64(
            context, data.baseAddress ?? SQLiteStatement.emptyBytes, UInt64(data.count),
            SQLiteStatement.transientDestructor)
    }

    /// Makes the statement fail with an error.
    func fail(_ message: String) { sqlite3_result_error(context, message, -1) }
}

// MARK: - Auxiliary data

extension FunctionCall {
    /// Returns an object made from an argument that is the same for all rows of a statement, such as a compiled pattern.
    func cachedObject<Value: AnyObject>(_ index: Int, as type: Value.Type, _ make: () -> Value?) -> Value? {
        if let cachedObject = sqlite3_get_auxdata(context, Int32(index)) {
            // Stored below under the same index of the same function, and released by SQLite when the statement ends.
            return Unmanaged<Value>.fromOpaque(cachedObject).takeUnretainedValue()
        }
        guard let value = make() else { return nil }
        sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(value).toOpaque()) { cachedObject in
            if let cachedObject { Unmanaged<AnyObject>.fromOpaque(cachedObject).release() }
        }
        return value
    }
}
#endif
