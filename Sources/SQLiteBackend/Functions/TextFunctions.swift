#if SQLite
import ContextCore

/// The functions of texts and data, with the results of the in-memory evaluator.
enum TextFunctions {
    static var all: [RegisteredFunction] { mappings + patterns + [listedData] }

    private static var mappings: [RegisteredFunction] {
        let functions: [FetchFunction] = [.lowercase, .uppercase, .trim]
        return functions.map { function in
            mapping(FunctionSpelling.fetchFunction(function)) { text in
                ValueFunctions.apply(function, [.string(text)])
            }
        }
            + (1...3).map { raw in
                let options = TextOptions(rawValue: raw)
                return mapping(FunctionSpelling.fold(options)) { .string(TextFolding.fold($0, options)) }
            }
    }

    private static func mapping(
        _ name: String, _ map: @escaping @Sendable (String) -> StoredValue
    ) -> RegisteredFunction {
        RegisteredFunction(name, arity: 1) { call in
            call.setResult(call.isNull(0) ? .null : map(call.text(0)))
        }
    }

    // MARK: Patterns

    private static var patterns: [RegisteredFunction] {
        [
            RegisteredFunction(FunctionSpelling.like, arity: 2) { call in
                if call.isNull(0) { return call.setResult(.null) }
                let pattern = call.cachedObject(1, as: CachedObject<LikePattern>.self) {
                    CachedObject(LikePattern(call.text(1)))
                }
                call.setResult(pattern?.value.matches(call.bytes(0)) ?? false)
            },
            RegisteredFunction(FunctionSpelling.matches, arity: 3) { call in
                if call.isNull(0) { return call.setResult(.null) }
                let expression = call.cachedObject(1, as: CachedObject<RegularExpression>.self) {
                    let options = TextOptions(rawValue: Int(call.integer(2)))
                    return RegularExpression(reading: call.text(1), options: options).map { CachedObject($0) }
                }
                guard let expression else { return call.fail("The regular expression is invalid.") }
                call.setResult(expression.value.matches(folded: call.bytes(0)))
            },
        ]
    }

    /// A value that SQLite keeps as auxiliary data for a statement.
    private final class CachedObject<Value> {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    // MARK: Data

    /// Decodes data from a list, which is encoded as two hexadecimal digits per byte.
    private static var listedData: RegisteredFunction {
        RegisteredFunction(FunctionSpelling.listedData, arity: 1) { call in
            let digits = call.bytes(0)
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
                digit(digits[index]) << 4 | digit(digits[index + 1])
            }
            bytes.withUnsafeBytes { call.setResult(data: $0) }
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8 {
        byte <= UInt8(ascii: "9") ? byte &- UInt8(ascii: "0") : byte &- UInt8(ascii: "a") &+ 10
    }
}
#endif
