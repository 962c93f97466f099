// What a graph tells those who follow it.
extension ObjectGraph {
    /// Whether anybody follows the graph.
    var isFollowed: Bool { !followers.isEmpty }

    /// Tells somebody of every change from now on.
    func follow(_ follower: any GraphFollower) {
        seeDependents()
        followers.add(follower)
        followersDidChange()
    }

    /// Tells somebody no longer.
    func unfollow(_ follower: any GraphFollower) {
        followers.remove(follower)
        followersDidChange()
    }

    /// The followers that are there; those that are awaited are kept from now on, and others no longer.
    @discardableResult
    func presentFollowers() -> [any GraphFollower] {
        // Held until the list is no longer being changed: whoever goes away takes himself out of it.
        let present = followers.present
        followers.keepAwaited()
        return present
    }

    private func followersDidChange() {
        lookForObservers()
        listenForFollowers()
        if isFollowed { return }
        // The notices may hold the last references to objects, whose `deinit` asks whether the graph is followed: they
        // are released once the list is no longer being changed.
        let untold = followers.notices
        followers.notices = GraphNotices()
        withExtendedLifetime(untold) {}
    }

    /// Lets what arrives from the store wake those who follow, if there are any.
    func listenForFollowers() {
        inbox?.announce(isFollowed ? followers.wake : nil)
    }

    /// Notes a change of an object, for those who follow; of one property, or of any.
    func note(_ object: ManagedObject, slot: Int? = nil) {
        guard isFollowed else { return }
        wakeForFirst()
        if let slot { followers.notices.note(object, slot: slot) } else { followers.notices.note(object) }
    }

    /// Notes that an object was inserted, for those who follow.
    func note(inserted object: ManagedObject) {
        guard isFollowed else { return }
        wakeForFirst()
        followers.notices.note(inserted: object)
    }

    /// Notes what others have done to objects.
    func note(merged ids: [ObjectID], _ kind: HistoryChange.Kind) throws {
        guard isFollowed else { return }
        wakeForFirst()
        for id in ids {
            followers.notices.note(merged: id, kind, rootIndex: try rootIndex(of: id))
        }
    }

    /// Notes that anything may have changed.
    func noteEverything() {
        guard isFollowed else { return }
        wakeForFirst()
        followers.notices.noteEverything()
    }

    private func wakeForFirst() {
        guard followers.wakesOnChange, !followers.isTelling, followers.notices.isEmpty else { return }
        followers.wake?()
    }

    /// Tells those who follow what has changed, here and in child contexts, until nothing is left to tell.
    ///
    /// It is called when something has come to its end: a block, a save, a merge, an undo.
    func tellFollowers() {
        if followers.isSaving { return }
        PairCollection(graph: self).collectIfDue()
        for child in followers.nested { child.tellFollowers() }
        guard isFollowed, !followers.isTelling else { return }
        followers.isTelling = true
        defer { followers.isTelling = false }
        var told = presentFollowers().filter { !followers.notices.isEmpty || $0.isBehind }
        // What is told may lead to changes, which are told too; those of somebody who never stops wait for the next time.
        for _ in 0..<100 where !told.isEmpty {
            let notices = followers.notices
            followers.notices = GraphNotices()
            for follower in told { follower.follow(notices) }
            told = followers.notices.isEmpty ? [] : presentFollowers()
        }
    }

    /// Adds a child context, whose followers hear of changes and wake together with those of this context, in its isolation.
    func adopt(_ child: ObjectGraph) {
        followers.add(child: child)
        child.isolation = isolation
        child.followers.wake = followers.wake
        child.followers.wakesOnChange = followers.wakesOnChange
    }

    /// Merges what others have committed, if the context does that by itself, and tells those who follow.
    func followStore() {
        // What could not be merged waits, and whoever fetches next hears why.
        try? ChangeMerging(graph: self).pull()
        tellFollowers()
    }

    /// Makes the next merge one of everything, as commits may have been missed before the context began to listen.
    ///
    /// A graph without objects and followers has nothing that is out of date.
    func catchUpWithStore() {
        guard isFollowed || !identities.all.isEmpty else { return }
        let begin = StoreToken(storeID: parent.identifiers.storeID, sequence: 0)
        inbox?.putBack(
            StoreChange(
                token: begin, contextName: nil, author: nil, effects: NetEffects(), isComplete: false))
        if isFollowed { followers.wake?() }
    }

    /// Runs a closure whose errors are none of the program's business, and leaves those that it is still to be told of.
    func settingErrorsAside<Value>(_ body: () throws -> Value) rethrows -> Value {
        let deferred = deferredError
        deferredError = nil
        defer { deferredError = deferred }
        guard let above = (parent as? ContextAsParent)?.context.graph else { return try body() }
        return try above.settingErrorsAside(body)
    }

    /// Tells everybody that there is nothing to follow any more.
    func endFollowing() {
        guard isFollowed else { return followers.wake = nil }
        let last = followers
        for follower in last.present { follower.graphDidClose() }
        followers = GraphFollowers()
        // Followers and objects that only the list held are released here: they come back to it, so it must not be
        // changing.
        withExtendedLifetime(last) {}
    }
}
