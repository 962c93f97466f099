import Dispatch

/// Strong references to a context and an object in it, which are released in the context's isolation.
///
/// The owner may be an object of the main actor, which may be released on any thread.
// @unchecked: used in the context's isolation until `release`, and afterwards only by the work that releases the references.
final class ContextHold<Followed: AnyObject>: @unchecked Sendable {
    private var held: (context: ObjectContext, followed: Followed)?

    init(_ followed: Followed, in context: ObjectContext) { held = (context, followed) }

    var context: ObjectContext { present.context }
    var followed: Followed { present.followed }

    private var present: (context: ObjectContext, followed: Followed) {
        guard let held else {
            programmingError("A results controller or live value was used after it was released.")
        }
        return held
    }

    /// Calls `end` and releases the references in the context's isolation: at once if the caller is in it, and otherwise later.
    func release(_ end: @escaping @Sendable (Followed) -> Void) {
        switch context.graph.isolation {
        case let isolation where isolation.isCurrent: letGo(end)
        case .unknown: letGo(end)
        case .mainActor: DispatchQueue.main.async { self.letGo(end) }
        case .executor(let executor): executor.enqueue { self.letGo(end) }
        }
    }

    private func letGo(_ end: (Followed) -> Void) {
        end(followed)
        held = nil
    }
}
