// `precondition` stops a release build without its sentence; `fatalError` says it in every build.

/// Stops the program for a mistake of the programmer, with a sentence that says what it is and what to do, in every build.
///
/// It is never inlined: what makes the sentence stays out of the code that is right.
@inline(never)
package func programmingError(
    _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    fatalError(message(), file: file, line: line)
}

/// Stops the program with a sentence, in every build, unless a condition holds that is the programmer's to keep.
///
/// It costs what `precondition` does: the sentence is made only when it is needed.
@inline(__always)
package func requirePrecondition(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) {
    if !condition { programmingError(message(), file: file, line: line) }
}
