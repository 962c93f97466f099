/// A syntax error in a JSON text.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The position of the error.
    package let position: JSONPosition
    /// A sentence with the error and its remedy.
    package let message: String
    /// Whether the text may be JSON, but exceeds the maximum nesting level.
    let isNestedTooDeeply: Bool

    init(_ message: String, at position: JSONPosition, isNestedTooDeeply: Bool = false) {
        self.position = position
        self.message = message
        self.isNestedTooDeeply = isNestedTooDeeply
    }

    package var description: String { "\(position): \(message)" }
}
