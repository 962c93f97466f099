#if SQLite
import ContextCore
import Testing

/// Expects a store error with a code and a remedy.
@discardableResult
func expectError(
    _ code: StoreError.Code, _ comment: Comment = "", at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) -> StoreError? {
    let error = #expect(throws: StoreError.self, comment, sourceLocation: location) { try body() }
    guard let error else { return nil }
    #expect(error.code == code, "\(comment) \(String(reflecting: error))", sourceLocation: location)
    return error
}
#endif
