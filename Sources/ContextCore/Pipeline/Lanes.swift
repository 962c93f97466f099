/// What writes of a lane leave to each other, and what is known of how long they take.
///
/// `state` is guarded by its mutex; a group belongs to the write whose turn it is in its lane.
final class Lanes: Sendable {
    private struct State {
        var groups: [String: any WriteGroup] = [:]
        var policy: GroupPolicy
    }

    /// Whether writes share commits at all.
    let groupsCommits: Bool
    private let state: Guarded<State>

    init(groupsCommits: Bool) {
        self.groupsCommits = groupsCommits
        state = Guarded(State(policy: GroupPolicy(isOn: groupsCommits)))
    }

    /// Takes what the write before has left.
    func takeGroup(_ lane: String) -> (any WriteGroup)? {
        state.withLock { $0.groups.removeValue(forKey: lane) }
    }

    /// Leaves a group to the next write.
    func leave(_ group: any WriteGroup, in lane: String) { state.withLock { $0.groups[lane] = group } }

    /// Takes a group back that nobody has come for.
    func takeBack(_ lane: String) { state.withLock { $0.groups[lane] = nil } }

    /// Whether a write of some name may join a group.
    func mayJoin(
        _ count: Int, began: ContinuousClock.Instant, at now: ContinuousClock.Instant, _ identifier: String
    ) -> Bool {
        state.withLock { $0.policy.mayJoin(count, waited: began.duration(to: now), identifier) }
    }

    func noteWork(_ time: Duration, of identifier: String) {
        state.withLock { $0.policy.noteWork(time, of: identifier) }
    }

    func noteWaiting(of identifier: String) { state.withLock { $0.policy.noteWaiting(of: identifier) } }

    func noteCommit(_ time: Duration) { state.withLock { $0.policy.noteCommit(time) } }
}
