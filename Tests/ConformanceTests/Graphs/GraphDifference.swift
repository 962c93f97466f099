/// A violation of a rule.
struct GraphDifference: Error, CustomStringConvertible {
    /// The rules that a script checks; a shortened script violates the same rule.
    enum Rule: String {
        case inverses, storedInverses, columns, derived, failedSave, undo, redo, links, read, rollback,
            unexpected
        case store, context, emptySave, sameValue, refresh, pin, release
    }

    let rule: Rule
    let text: String

    var description: String { "[\(rule.rawValue)] \(text)" }
}
