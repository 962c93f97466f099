/// The declaration of a property, with its documentation and its attribute.
struct PropertySource {
    /// The lines before the declaration: documentation and comments, with their slashes.
    var comments: [String] = []
    /// The attribute, such as `@Attribute(.unique)`.
    var marker: SwiftCode?
    /// The declaration without its value: `var title: String`; nil if there is only a comment.
    var declaration: String?
    /// The initial value.
    var value: SwiftCode?

    /// Returns the lines of the declaration in the braces of its type.
    var text: String {
        let indent = 4
        let space = String(repeating: " ", count: indent)
        let notes = comments.map { space + $0 + "\n" }.joined()
        guard let declaration else { return notes }
        let variable = value.map { SwiftCode.labeled(declaration + " =", $0) } ?? .text(declaration)
        guard let marker else { return notes + variable.laidOut(indent: indent) + "\n" }
        let whole = SwiftCode.text("\(marker.line) \(variable.line)")
        if whole.fits(indent: indent) { return notes + space + whole.line + "\n" }
        return notes + marker.laidOut(indent: indent) + "\n" + variable.laidOut(indent: indent) + "\n"
    }
}
