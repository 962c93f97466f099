extension SharedTransaction {
    /// A write's share in the session of its group.
    ///
    /// What it does there at once is behind a savepoint of its own. Its last save it may leave to the group instead, which has those of
    /// several writes applied together.
    final class Share: WriteShare {
        private let group: SharedTransaction
        private var options: SessionOptions
        /// Whether others will come after it, so that it is worth while to leave them something.
        private let isFollowed: () -> Bool
        private var stage = Stage.untouched

        private enum Stage {
            case untouched
            case open(behindSavepoint: Bool)
        }

        init(_ group: SharedTransaction, _ options: SessionOptions, isFollowed: @escaping () -> Bool) {
            self.group = group
            self.options = options
            self.isFollowed = isFollowed
        }

        /// The session, where the write finds what earlier ones have done.
        func session() throws -> any WriteSession {
            if case .untouched = stage { stage = .open(behindSavepoint: try group.begin(options)) }
            return group.session
        }

        func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
            if case .untouched = stage, group.gathers {
                return try group.reserveKeys(count, rootIndex: rootIndex)
            }
            return try session().reserveKeys(count, rootIndex: rootIndex)
        }

        func mayLeave(_ changes: ChangeSet) -> Bool {
            guard case .untouched = stage, group.gathers else { return false }
            return (group.hasWork || isFollowed()) && LeftSave.takes(changes)
        }

        /// Somebody else does what is left of the write, who may be cancelled while the write isn't.
        func leaveToOthers() { options.heedsCancellation = false }

        /// The group has applied what was left to it.
        func accept() { stage = .open(behindSavepoint: false) }

        /// Ends the write's work.
        func end(keepingWork: Bool) throws {
            guard case .open(behindSavepoint: true) = stage else { return }
            stage = .open(behindSavepoint: false)
            try group.session.endSavepoint(keepingWork: keepingWork)
        }
    }
}
