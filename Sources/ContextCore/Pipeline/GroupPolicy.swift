/// Decides whether a write that is done may wait for the next one, so that one commit serves both.
///
/// That pays where a commit costs more than the work of a write, and costs the first write some time. So it is told what both have
/// cost lately, and lets writes join as long as that is expected to be over within the time of a few commits. Pure: time goes in.
struct GroupPolicy {
    /// How many writes share a commit at the most.
    static let mostMembers = 128
    /// For how many commits' time the first of a group may be kept waiting.
    private static let patience = 4

    let isOn: Bool
    private var commit: Duration?
    private var work = Duration.zero

    init(isOn: Bool) { self.isOn = isOn }

    /// A write's work took so long.
    mutating func noteWork(_ time: Duration) { work = Self.mean(work, time) }

    /// A commit took so long.
    mutating func noteCommit(_ time: Duration) { commit = commit.map { Self.mean($0, time) } ?? time }

    /// Whether another write may join so many, the first of which has waited so long.
    func mayJoin(_ members: Int, waited: Duration) -> Bool {
        guard isOn, members < Self.mostMembers, let commit else { return false }
        return work < commit && waited + work < commit * Self.patience
    }

    /// What was lately the case counts more than what was long ago.
    private static func mean(_ old: Duration, _ new: Duration) -> Duration { (old * 7 + new) / 8 }
}
