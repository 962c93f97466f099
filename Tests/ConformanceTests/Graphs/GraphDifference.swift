/// A rule that did not hold.
struct GraphDifference: Error, CustomStringConvertible {
    /// The kinds of rules that a script checks; a shrunk script breaks the same one.
    enum Rule: String {
        case inverses, storedInverses, columns, derived, failedSave, undo, redo, links, read, rollback,
            unexpected
        case store, context, emptySave, sameValue, refresh
    }

    let rule: Rule
    let text: String

    var description: String { "[\(rule.rawValue)] \(text)" }
}
