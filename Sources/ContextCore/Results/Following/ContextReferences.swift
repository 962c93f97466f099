import Dispatch

/// Strong references to a context and an object in it, which are released in the context's isolation.
///
/// The owner may be an object of the main actor, which may be released on any thread.
// @unchecked: used in the context's isolation until `release`, and afterwards only by the work that releases the references.
final class ContextReferences<Followed: AnyObject>: @unchecked Sendable {
    private var references: (context: ObjectContext, followed: Followed)?

    init(_ followed: Followed, in context: ObjectContext) { references = (context, followed) }

    var context: ObjectContext { currentReferences.context }
    var followed: Followed { currentReferences.followed }

    private var currentReferences: (context: ObjectContext, followed: Followed) {
        guard let references else {
            programmingError("A results controller or live value was used after it was released.")
        }
        return references
    }

    /// Calls `end` and releases the references in the context's isolation: at once if the caller is in it, and otherwise later.
    func release(_ end: @escaping @Sendable (Followed) -> Void) {
        switch context.graph.isolation {
        case let isolation where isolation.isCurrent: endAndRelease(end)
        case .unknown: endAndRelease(end)
        case .mainActor: DispatchQueue.main.async { self.endAndRelease(end) }
        case .executor(let executor): executor.enqueue { self.endAndRelease(end) }
        }
    }

    private func endAndRelease(_ end: (Followed) -> Void) {
        end(followed)
        references = nil
    }
}
