/// Schedules work in a context's isolation, and coalesces calls until the work begins.
///
/// At most one task is scheduled at a time, so tasks don't pile up while the isolation is busy and other contexts
/// commit often.
///
/// `isPending` is guarded by its mutex.
final class CoalescedWakeup: Sendable {
    private let isPending = Guarded(false)
    private let schedule: @Sendable (CoalescedWakeup) -> Void

    /// - Parameter schedule: Schedules a task in the context's isolation, which calls ``markBegun()`` and then does the
    ///   work.
    init(_ schedule: @escaping @Sendable (CoalescedWakeup) -> Void) { self.schedule = schedule }

    /// Schedules the work, unless scheduled work is still waiting to begin.
    func scheduleIfNeeded() {
        let isFirst = isPending.withLock { isPending in
            defer { isPending = true }
            return !isPending
        }
        if isFirst { schedule(self) }
    }

    /// Marks the work as begun, so that the next request schedules it again.
    func markBegun() { isPending.withLock { $0 = false } }
}
