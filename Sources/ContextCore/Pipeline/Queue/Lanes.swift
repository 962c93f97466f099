/// The open write group of each lane, and the timing statistics that decide whether writes join one.
///
/// `state` is guarded by its mutex; a group belongs to the write that has the turn in its lane.
final class Lanes: Sendable {
    private struct State {
        var groups: [String: any WriteGroup] = [:]
        var policy: GroupPolicy
    }

    /// Whether writes may share commits.
    let groupsCommits: Bool
    private let state: Guarded<State>

    init(groupsCommits: Bool) {
        self.groupsCommits = groupsCommits
        state = Guarded(State(policy: GroupPolicy(isOn: groupsCommits)))
    }

    /// Removes and returns the group that the previous write has left open.
    func removeGroup(_ lane: String) -> (any WriteGroup)? {
        state.withLock { $0.groups.removeValue(forKey: lane) }
    }

    /// Leaves a group open for the next write.
    func storeGroup(_ group: any WriteGroup, in lane: String) { state.withLock { $0.groups[lane] = group } }

    /// Removes a group that no write has joined.
    func discardGroup(_ lane: String) { state.withLock { $0.groups[lane] = nil } }

    /// Whether a write may join a group; see ``GroupPolicy/mayJoin(_:waited:_:)``.
    func mayJoin(
        _ count: Int, began: ContinuousClock.Instant, at now: ContinuousClock.Instant, _ identifier: String
    ) -> Bool {
        state.withLock { $0.policy.mayJoin(count, waited: began.duration(to: now), identifier) }
    }

    func recordWork(_ time: Duration, of identifier: String) {
        state.withLock { $0.policy.recordWork(time, of: identifier) }
    }

    func recordLockWait(of identifier: String) { state.withLock { $0.policy.recordLockWait(of: identifier) } }

    func recordCommit(_ time: Duration) { state.withLock { $0.policy.recordCommit(time) } }
}
