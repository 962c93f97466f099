/// The newest list that a consumer has not looked at yet, and the last one that he has.
///
/// However long he stays away, two lists are kept, and they share what has not changed.
final class ResultsMailbox: Sendable {
    /// What the consumer has, and what he gets.
    private struct Pair {
        let seen: ResultsSnapshot
        let latest: ResultsSnapshot
    }

    private struct Content: InboxContent {
        var seen: ResultsSnapshot
        /// Nil when he has seen it.
        var latest: ResultsSnapshot?

        mutating func take() -> Pair? {
            guard let latest else { return nil }
            defer { (seen, self.latest) = (latest, nil) }
            return Pair(seen: seen, latest: latest)
        }
    }

    private let inbox: Inbox<Content>

    init(seen: ResultsSnapshot, latest: ResultsSnapshot) {
        inbox = Inbox(Content(seen: seen, latest: latest))
    }

    /// Puts the newest list in the place of the one before.
    func post(_ snapshot: ResultsSnapshot) { inbox.put { $0.latest = snapshot } }

    /// Says that nothing will come any more; what is in the box may still be taken.
    func close() { inbox.close() }

    /// What makes the newest list of the last one that was taken, once there is something; nil once the box is closed and empty, or
    /// the task is cancelled.
    func next() async -> ResultsDifference? {
        while let pair = await inbox.next() {
            let difference = pair.latest.difference(from: pair.seen)
            if !difference.isEmpty { return difference }
        }
        return nil
    }
}
