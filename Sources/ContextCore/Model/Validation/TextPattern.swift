import Foundation

/// A regular expression that text must match from its beginning to its end.
struct TextPattern: Sendable {
    /// The expression as it was written.
    let source: String
    private let expression: NSRegularExpression

    init(_ source: String) throws {
        self.source = source
        expression = try NSRegularExpression(pattern: "\\A(?:\(source))\\z")
    }

    func matches(_ text: String) -> Bool {
        let whole = NSRange(text.startIndex..., in: text)
        return expression.firstMatch(in: text, options: [.anchored], range: whole) != nil
    }
}
