/// Decides whether a write that is done may wait for the next one, so that one commit serves both.
///
/// That spares commits, and costs the first write some time. So it is told what work and commits have cost lately, and lets quick
/// writes join as long as that is expected to be over within the time of a few commits, or a moment that nobody notices. Pure: time
/// goes in.
struct GroupPolicy {
    /// How many writes share a commit at the most.
    static let mostMembers = 128
    /// For how many commits' time the first of a group may be kept waiting.
    private static let patience = 4
    /// For how long it may be kept waiting in any case, since there is a line of others that gets shorter meanwhile.
    private static let moment = Duration.milliseconds(10)
    /// How many names are known to be slow at the most.
    private static let mostSlowNames = 1024
    /// How many names are known to wait for others at the most.
    private static let mostWaitingNames = 1024

    let isOn: Bool
    private var commit: Duration?
    private var work = Duration.zero
    /// What writes cost that are slow, by name.
    private var slowWork: [String: Duration] = [:]
    /// The names of writes that wait for locks of other programs.
    private var waiting: Set<String> = []

    init(isOn: Bool) { self.isOn = isOn }

    /// The work of a write of some name took so long.
    mutating func noteWork(_ time: Duration, of identifier: String) {
        if !isOn { return }
        if let known = slowWork[identifier] {
            let mean = Self.mean(known, time)
            slowWork[identifier] = isSlow(mean) ? mean : nil
        } else if isSlow(time) {
            if slowWork.count == Self.mostSlowNames { slowWork = [:] }
            slowWork[identifier] = time
        } else {
            work = Self.mean(work, time)
        }
    }

    /// A write of some name may wait for what another program has locked, and so might whoever shares a commit with it.
    mutating func noteWaiting(of identifier: String) {
        if !isOn { return }
        if waiting.count == Self.mostWaitingNames { waiting = [] }
        waiting.insert(identifier)
    }

    /// Whether it would take others too long to wait for it: longer than a commit, and a good part of a moment.
    private func isSlow(_ time: Duration) -> Bool {
        commit.map { time >= max($0, Self.moment / Self.patience) } ?? false
    }

    /// A commit took so long.
    ///
    /// Some take in a wait for other programs; one that took very long tells little of the next.
    mutating func noteCommit(_ time: Duration) {
        commit = commit.map { Self.mean($0, min(time, $0 * Self.patience)) } ?? time
    }

    /// Whether a write of some name may join so many, the first of which has waited so long.
    func mayJoin(_ members: Int, waited: Duration, _ identifier: String) -> Bool {
        guard isOn, members < Self.mostMembers, let commit, slowWork[identifier] == nil,
            !waiting.contains(identifier)
        else { return false }
        return waited + work < max(commit * Self.patience, Self.moment)
    }

    /// What was lately the case counts more than what was long ago.
    private static func mean(_ old: Duration, _ new: Duration) -> Duration {
        // Duration's own arithmetic goes by way of any kind of integer, at ten times the cost.
        Duration(attoseconds: (old.attoseconds * 7 + new.attoseconds) / 8)
    }
}
