/// Tells where a text stops being JSON, and why.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where.
    package let position: JSONPosition
    /// Why, in a sentence that says what to do.
    package let message: String

    init(_ message: String, at position: JSONPosition) {
        self.position = position
        self.message = message
    }

    package var description: String { "\(position): \(message)" }
}
