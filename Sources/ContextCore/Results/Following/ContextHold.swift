import Dispatch

/// What an object of a program holds of a context, and releases where the context is used: a class of the main actor may be released on
/// any thread, and with it what it holds.
// @unchecked: it is used where the context is, up to `release`, and after that by the work that releases, alone.
final class ContextHold<Followed: AnyObject>: @unchecked Sendable {
    private var held: (context: ObjectContext, followed: Followed)?

    init(_ followed: Followed, in context: ObjectContext) { held = (context, followed) }

    var context: ObjectContext { present.context }
    var followed: Followed { present.followed }

    private var present: (context: ObjectContext, followed: Followed) {
        guard let held else { programmingError("What was released is used no more.") }
        return held
    }

    /// Ends the work of what is followed and lets go of everything, here if that is where the context is used, or else there.
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
