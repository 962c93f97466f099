#if SQLite
import CSQLite

/// A function that this library registers with connections; it is never deallocated.
///
/// It is deterministic and has no side effects, so the schema of a database may safely use it.
final class RegisteredFunction: Sendable {
    private let name: String
    private let arity: Int32
    private let body: @Sendable (FunctionCall) -> Void

    init(_ name: String, arity: Int32, _ body: @escaping @Sendable (FunctionCall) -> Void) {
        self.name = name
        self.arity = arity
        self.body = body
    }

    /// Registers the function with a connection and returns SQLite's result code.
    func register(on connection: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            connection, name, arity, Self.flags, Unmanaged.passUnretained(self).toOpaque(),
            { context, count, arguments in
                guard let context, let function = sqlite3_user_data(context) else { return }
                // The registered object, which is never deallocated.
                Unmanaged<RegisteredFunction>.fromOpaque(function).takeUnretainedValue()
                    .body(FunctionCall(context, count, arguments))
            }, nil, nil, nil)
    }

    static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
}
#endif
