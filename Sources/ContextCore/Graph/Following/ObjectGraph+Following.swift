// Notifies the followers of a graph.
extension ObjectGraph {
    /// Whether the graph has followers.
    var isFollowed: Bool { !followers.isEmpty }

    /// Adds a follower.
    func follow(_ follower: any GraphFollower) {
        loadDependents()
        followers.add(follower)
        followersDidChange()
    }

    /// Removes a follower.
    func unfollow(_ follower: any GraphFollower) {
        followers.remove(follower)
        followersDidChange()
    }

    /// Returns the followers that still exist, and retains only the awaited ones.
    @discardableResult
    func existingFollowers() -> [any GraphFollower] {
        // Retained until the list has been updated, because a follower that is deallocated removes itself from it.
        let existing = followers.existing
        followers.retainAwaited()
        return existing
    }

    private func followersDidChange() {
        updateIsObserved()
        updateWakeOnCommit()
        if isFollowed { return }
        // The notices may contain the last references to objects, whose `deinit` accesses the list of followers: they
        // are released after the list has been updated.
        let unreported = followers.notices
        followers.notices = GraphChanges()
        withExtendedLifetime(unreported) {}
    }

    /// Makes the mailbox wake the followers when the store commits, if there are followers.
    func updateWakeOnCommit() {
        inbox?.onMessage(isFollowed ? followers.wake : nil)
    }

    /// Records a change of one property, or of all properties of an object, for the followers.
    func recordChange(_ object: ManagedObject, slot: Int? = nil) {
        guard isFollowed else { return }
        wakeForFirstChange()
        if let slot {
            followers.notices.recordChange(object, slot: slot)
        } else {
            followers.notices.recordAllChanges(object)
        }
    }

    /// Records the insertion of an object for the followers.
    func recordForFollowers(inserted object: ManagedObject) {
        guard isFollowed else { return }
        wakeForFirstChange()
        followers.notices.record(inserted: object)
    }

    /// Records objects that a merge has changed for the followers.
    func recordForFollowers(merged ids: [ObjectID], _ kind: HistoryChange.Kind) throws {
        guard isFollowed else { return }
        wakeForFirstChange()
        for id in ids {
            followers.notices.record(merged: id, kind, rootIndex: try rootIndex(of: id))
        }
    }

    /// Records for the followers that any object may have changed.
    func recordUnknownChanges() {
        guard isFollowed else { return }
        wakeForFirstChange()
        followers.notices.recordUnknownChanges()
    }

    private func wakeForFirstChange() {
        guard followers.wakesOnChange, !followers.isNotifying, followers.notices.isEmpty else { return }
        followers.wake?()
    }

    /// Notifies the followers of this context and of its children, until there are no more changes.
    ///
    /// Called at the end of a block, a save, a merge and an undo.
    func notifyFollowers() {
        if followers.isSaving { return }
        CycleCollector(graph: self).collectIfDue()
        for child in followers.childGraphs { child.notifyFollowers() }
        guard isFollowed, !followers.isNotifying else { return }
        followers.isNotifying = true
        defer { followers.isNotifying = false }
        var notified = existingFollowers().filter { !followers.notices.isEmpty || $0.isBehind }
        // Followers may make changes and are notified of these too, at most 100 times in a row.
        for _ in 0..<100 where !notified.isEmpty {
            let notices = followers.notices
            followers.notices = GraphChanges()
            for follower in notified { follower.follow(notices) }
            notified = followers.notices.isEmpty ? [] : existingFollowers()
        }
    }

    /// Adds a child context, whose followers are notified together with those of this context, in its isolation.
    func addChild(_ child: ObjectGraph) {
        followers.add(child: child)
        child.isolation = isolation
        child.followers.wake = followers.wake
        child.followers.wakesOnChange = followers.wakesOnChange
    }

    /// Merges commits of the store, if the context merges changes automatically, and notifies the followers.
    func mergeStoreChanges() {
        // If merging fails, the changes stay in the inbox, and the next fetch throws the error.
        try? ChangeMerging(graph: self).mergeInbox()
        notifyFollowers()
    }

    /// Makes the next merge refresh all objects, because commits before the context started listening are unknown.
    ///
    /// A graph without objects and followers has nothing to refresh.
    func refreshAllOnNextMerge() {
        let snapshot = (try? parent.pinnedSnapshotToken()) ?? nil
        guard isFollowed || !identities.all.isEmpty || snapshot != nil else { return }
        let begin = StoreToken(storeID: parent.identifiers.storeID, sequence: 0)
        // A pinned context lacks the commits after its snapshot until it gets a newer one, so the refresh waits too.
        inbox?.insertFirst(
            StoreChange(
                token: begin, through: snapshot.map { $0.sequence + 1 } ?? 0, contextName: nil, author: nil,
                effects: NetEffects(), isComplete: false))
        if isFollowed { followers.wake?() }
    }

    /// Runs a closure so that its deferred errors and an earlier deferred error don't affect each other.
    func withoutDeferredErrors<Value>(_ body: () throws -> Value) rethrows -> Value {
        let deferred = deferredError
        deferredError = nil
        defer { deferredError = deferred }
        guard let above = (parent as? ParentContextAdapter)?.context.graph else { return try body() }
        return try above.withoutDeferredErrors(body)
    }

    /// Notifies the followers that the context is deallocated, and removes them.
    func endFollowing() {
        guard isFollowed else { return followers.wake = nil }
        let last = followers
        for follower in last.existing { follower.graphDidClose() }
        followers = GraphFollowers()
        // Releases followers and objects that only the list retained, whose `deinit` may access the list, after it has
        // been updated.
        withExtendedLifetime(last) {}
    }
}
