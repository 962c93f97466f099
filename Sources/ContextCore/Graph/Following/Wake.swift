/// Asks a context's isolation to look at what has changed, once until it looks.
///
/// However often others commit meanwhile, one request waits; otherwise those that wait would grow in number for as long as a context is
/// slower than the rest.
///
/// `isPending` is guarded by its mutex.
final class Wake: Sendable {
    private let isPending = Guarded(false)
    private let schedule: @Sendable (Wake) -> Void

    /// - Parameter schedule: Lets the context's isolation call ``begin()`` and then look.
    init(_ schedule: @escaping @Sendable (Wake) -> Void) { self.schedule = schedule }

    /// Asks, unless that was done and nobody has begun to look since.
    func call() {
        let isFirst = isPending.withLock { isPending in
            defer { isPending = true }
            return !isPending
        }
        if isFirst { schedule(self) }
    }

    /// Somebody begins to look: what changes from now on is asked for again.
    func begin() { isPending.withLock { $0 = false } }
}
