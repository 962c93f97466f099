/// Decides whether a finished write delays its commit so that the next write can share it.
///
/// A shared commit saves work, and delays the first write. The policy records how long recent work and commits took, and lets quick
/// writes join while the group is expected to end within the time of a few commits, or within 10 milliseconds. It reads no clock: its
/// caller passes in durations.
struct GroupPolicy {
    /// The maximum number of writes that share a commit.
    static let memberLimit = 128
    /// The maximum delay of a group's first write, as a multiple of the time of a commit.
    private static let delayFactor = 4
    /// The delay that is always acceptable, because other waiting writes are done in that time.
    private static let acceptableDelay = Duration.milliseconds(10)
    /// The maximum number of write names remembered as slow.
    private static let slowNameLimit = 1024
    /// The maximum number of write names remembered as waiting for locks.
    private static let waitingNameLimit = 1024

    let isOn: Bool
    private var commit: Duration?
    private var work = Duration.zero
    /// The mean duration of slow writes, by name.
    private var slowWork: [String: Duration] = [:]
    /// The names of writes that may wait for locks of other processes.
    private var waiting: Set<String> = []

    init(isOn: Bool) { self.isOn = isOn }

    /// Records how long the work of a write took.
    mutating func recordWork(_ time: Duration, of identifier: String) {
        if !isOn { return }
        if let known = slowWork[identifier] {
            let mean = Self.mean(known, time)
            slowWork[identifier] = isSlow(mean) ? mean : nil
        } else if isSlow(time) {
            if slowWork.count == Self.slowNameLimit { slowWork = [:] }
            slowWork[identifier] = time
        } else {
            work = Self.mean(work, time)
        }
    }

    /// Records that a write may wait for locks of another process, which would also delay writes that share its commit.
    mutating func recordLockWait(of identifier: String) {
        if !isOn { return }
        if waiting.count == Self.waitingNameLimit { waiting = [] }
        waiting.insert(identifier)
    }

    /// Whether a write of this duration is too slow to share a commit: at least as long as a commit, and at least 2.5 milliseconds.
    private func isSlow(_ time: Duration) -> Bool {
        commit.map { time >= max($0, Self.acceptableDelay / Self.delayFactor) } ?? false
    }

    /// Records how long a commit took.
    ///
    /// The time is capped: a very slow commit may have waited for another process, and doesn't predict the next one.
    mutating func recordCommit(_ time: Duration) {
        commit = commit.map { Self.mean($0, min(time, $0 * Self.delayFactor)) } ?? time
    }

    /// Whether a write may join a group.
    ///
    /// - Parameters:
    ///   - members: The number of writes in the group.
    ///   - waited: How long the first of them has waited.
    ///   - identifier: The name of the write that would join.
    func mayJoin(_ members: Int, waited: Duration, _ identifier: String) -> Bool {
        guard isOn, members < Self.memberLimit, let commit, slowWork[identifier] == nil,
            !waiting.contains(identifier)
        else { return false }
        return waited + work < max(commit * Self.delayFactor, Self.acceptableDelay)
    }

    /// Returns a moving average, in which recent values weigh more.
    private static func mean(_ old: Duration, _ new: Duration) -> Duration {
        // Duration's own operators are generic over integers, and a tenth as fast.
        Duration(attoseconds: (old.attoseconds * 7 + new.attoseconds) / 8)
    }
}
