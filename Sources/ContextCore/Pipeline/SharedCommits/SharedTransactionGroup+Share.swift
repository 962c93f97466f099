extension SharedTransactionGroup {
    /// A write's access to the session of its group.
    ///
    /// A write that uses the session opens its own savepoint, unless it is the first of the group. A write that doesn't use it may defer
    /// its save to the group, which applies the deferred saves of several writes together.
    final class Share: WriteShare {
        private let group: SharedTransactionGroup
        private var options: SessionOptions
        /// Whether other writes are waiting, with which a deferred save would be applied.
        private let hasWaitingWrites: () -> Bool
        private var stage = Stage.untouched

        private enum Stage {
            case untouched
            case open(behindSavepoint: Bool)
        }

        init(
            _ group: SharedTransactionGroup, _ options: SessionOptions, hasWaitingWrites: @escaping () -> Bool
        ) {
            self.group = group
            self.options = options
            self.hasWaitingWrites = hasWaitingWrites
        }

        /// Returns the session, in which the write sees the changes of earlier writes.
        func session() throws -> any WriteSession {
            if case .untouched = stage { stage = .open(behindSavepoint: try group.prepareSession(options)) }
            return group.session
        }

        func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
            if case .untouched = stage, group.supportsDeferredSaves {
                return try group.reserveKeys(count, rootIndex: rootIndex)
            }
            return try session().reserveKeys(count, rootIndex: rootIndex)
        }

        func canDeferSave(_ changes: ChangeSet) -> Bool {
            guard case .untouched = stage, group.supportsDeferredSaves else { return false }
            return (group.hasWork || hasWaitingWrites()) && DeferredSave.canDefer(changes)
        }

        /// Ignores cancellation from now on, because another write's task, which may be cancelled, applies the deferred save.
        func ignoreCancellation() { options.isCancellable = false }

        /// Records that the group has applied the deferred save.
        func accept() { stage = .open(behindSavepoint: false) }

        /// Ends the write's savepoint, if it has one.
        func end(keepingWork: Bool) throws {
            guard case .open(behindSavepoint: true) = stage else { return }
            stage = .open(behindSavepoint: false)
            try group.session.endSavepoint(keepingWork: keepingWork)
        }
    }
}
