/// The newest list that a consumer has not looked at yet, the last one that he has, and the values that he lacks, if he wants any.
///
/// However long he stays away, two lists are kept, which share what has not changed, and no more values than the newest has rows, or
/// twice as many.
final class ResultsMailbox: Sendable {
    /// What the consumer has, what he gets, and the values that are new to him.
    private struct Update {
        let seen: ResultsSnapshot
        let latest: ResultsSnapshot
        let values: [ObjectSnapshot]
        let isFirst: Bool
    }

    private struct Content: InboxContent {
        var seen: ResultsSnapshot
        /// Nil when he has seen it.
        var latest: ResultsSnapshot?
        /// The newest values that he has not seen, by key.
        var values: [Int64: ObjectSnapshot]
        /// Whether the next difference is the first one of a consumer without a list, who gets it even if it is empty.
        var isFirst: Bool

        mutating func put(_ list: ResultsSnapshot, _ newer: [Int64: ObjectSnapshot]) {
            latest = list
            values.merge(newer) { $1 }
            if values.count > 2 * list.count { dropOthers(than: list) }
        }

        /// Drops the values of objects that have no row any more.
        private mutating func dropOthers(than list: ResultsSnapshot) {
            values = values.filter { list.list.row(of: $0.key) != nil }
        }

        mutating func take() -> Update? {
            guard let latest else { return nil }
            dropOthers(than: latest)
            defer { (seen, self.latest, values, isFirst) = (latest, nil, [:], false) }
            return Update(seen: seen, latest: latest, values: Array(values.values), isFirst: isFirst)
        }
    }

    /// Whether the consumer wants the values of the rows' objects.
    let wantsValues: Bool
    private let inbox: Inbox<Content>

    /// - Parameters:
    ///   - seen: The list that the consumer has.
    ///   - latest: The list that there is now.
    ///   - isFirst: Whether the consumer has no list yet, and is told of an empty one, too.
    ///   - values: Those of the newest list's objects; nil where the consumer wants none.
    init(
        seen: ResultsSnapshot, latest: ResultsSnapshot, isFirst: Bool, values: [Int64: ObjectSnapshot]? = nil
    ) {
        wantsValues = values != nil
        inbox = Inbox(Content(seen: seen, latest: latest, values: values ?? [:], isFirst: isFirst))
    }

    /// Puts the newest list in the place of the one before, and what has changed in it to what had.
    func post(_ snapshot: ResultsSnapshot, _ values: [Int64: ObjectSnapshot]) {
        let values = wantsValues ? values : [:]
        inbox.put { $0.put(snapshot, values) }
    }

    /// Says that nothing will come any more; what is in the box may still be taken.
    func close() { inbox.close() }

    /// What makes the newest list of the last one that was taken, once there is something; nil once the box is closed and empty, or
    /// the task is cancelled.
    func next() async -> (difference: ResultsDifference, values: [ObjectSnapshot])? {
        while let update = await inbox.next() {
            let difference = update.latest.difference(from: update.seen)
            if update.isFirst || !difference.isEmpty { return (difference, update.values) }
        }
        return nil
    }
}
