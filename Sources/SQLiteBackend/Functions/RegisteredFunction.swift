#if SQLite
import CSQLite

/// A function that connections get from us; it lives as long as the program.
///
/// It is deterministic and has no effects, and the schema of a database may use it without being able to do harm by it.
final class RegisteredFunction: Sendable {
    private let name: String
    private let arity: Int32
    private let body: @Sendable (FunctionCall) -> Void

    init(_ name: String, arity: Int32, _ body: @escaping @Sendable (FunctionCall) -> Void) {
        self.name = name
        self.arity = arity
        self.body = body
    }

    /// Registers the function with a connection; returns SQLite's result.
    func register(on connection: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            connection, name, arity, Self.flags, Unmanaged.passUnretained(self).toOpaque(),
            { context, count, arguments in
                guard let context, let function = sqlite3_user_data(context) else { return }
                // What was registered, which lives as long as the program.
                Unmanaged<RegisteredFunction>.fromOpaque(function).takeUnretainedValue()
                    .body(FunctionCall(context, count, arguments))
            }, nil, nil, nil)
    }

    static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
}
#endif
