/// A syntax error in a JSON text.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The position of the error.
    package let position: JSONPosition
    /// A sentence with the error and its remedy.
    package let message: String

    init(_ message: String, at position: JSONPosition) {
        self.position = position
        self.message = message
    }

    package var description: String { "\(position): \(message)" }
}
