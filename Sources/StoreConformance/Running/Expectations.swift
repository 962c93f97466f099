import ContextCore

/// Throws unless a condition is true.
func expect(
    _ condition: @autoclosure () throws -> Bool,
    _ message: @autoclosure () -> String = "The condition is true",
    file: String = #fileID, line: Int = #line
) throws {
    if try condition() { return }
    throw ConformanceFailure("Expected, but false: \(message()).", file: file, line: line)
}

/// Throws unless a value equals the expected one.
func expectEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: @autoclosure () -> String = "A value", file: String = #fileID,
    line: Int = #line
) throws {
    if found == expected { return }
    throw ConformanceFailure("\(what()) is \(found); expected \(expected).", file: file, line: line)
}

/// Throws unless two texts have the same UTF-8 bytes.
///
/// Swift's `==` compares canonical equivalence instead.
func expectSameBytes(
    _ found: String?, _ expected: String?, _ what: @autoclosure () -> String = "A text",
    file: String = #fileID, line: Int = #line
) throws {
    try expectEqual(
        found.map { Array($0.utf8) }, expected.map { Array($0.utf8) }, "\(what()), in UTF-8,", file: file,
        line: line)
}

/// Throws unless the body throws a `StoreError` with the given code, and returns that error.
@discardableResult
func expectError<Value>(
    _ code: StoreError.Code, _ what: @autoclosure () -> String = "This", file: String = #fileID,
    line: Int = #line, _ body: () throws -> Value
) throws -> StoreError {
    do {
        _ = try body()
    } catch let error as StoreError {
        try expectEqual(error.code, code, "The code of “\(error)”", file: file, line: line)
        return error
    }
    throw ConformanceFailure(
        "\(what()) succeeded; expected an error with the code \(code).", file: file, line: line)
}

/// Throws unless the asynchronous body throws a `StoreError` with the given code, and returns that error.
@discardableResult
func expectError<Value: Sendable>(
    _ code: StoreError.Code, _ what: @autoclosure () -> String = "This", file: String = #fileID,
    line: Int = #line, _ body: () async throws -> Value
) async throws -> StoreError {
    do {
        _ = try await body()
    } catch let error as StoreError {
        try expectEqual(error.code, code, "The code of “\(error)”", file: file, line: line)
        return error
    }
    throw ConformanceFailure(
        "\(what()) succeeded; expected an error with the code \(code).", file: file, line: line)
}

/// Returns the unwrapped value, and throws if it is nil.
func require<Value>(
    _ value: Value?, _ what: @autoclosure () -> String = "A value", file: String = #fileID, line: Int = #line
) throws -> Value {
    if let value { return value }
    throw ConformanceFailure("\(what()) is missing.", file: file, line: line)
}
