// `precondition` doesn't print its message in a release build; `fatalError` prints it in every build.

/// Stops the program because of a programming error and prints a message, in debug and release builds.
///
/// It is never inlined, to keep the code that makes the message out of the callers' fast path.
@inline(never)
package func programmingError(
    _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    fatalError(message(), file: file, line: line)
}

/// Stops the program with a message, in debug and release builds, if a precondition doesn't hold.
///
/// It costs as much as `precondition`: the message is made only if the condition is false.
@inline(__always)
package func requirePrecondition(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) {
    if !condition { programmingError(message(), file: file, line: line) }
}
