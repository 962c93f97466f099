/// A place in a document of changes, such as `changes[3].set.score`.
struct ChangePlace: Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// The place of the list of changes.
    static let root = ChangePlace(description: "changes")

    private init(description: String) { self.description = description }

    subscript(index: Int) -> ChangePlace { ChangePlace(description: "\(self)[\(index)]") }

    /// Returns the place of a member of an object; a long name is cut.
    func member(_ name: String) -> ChangePlace {
        let shown = TextTable.escapingControlCharacters(String(name.prefix(Self.nameLimit)))
        return ChangePlace(description: "\(self).\(shown)\(name.count > Self.nameLimit ? "…" : "")")
    }

    private static let nameLimit = 80
}
