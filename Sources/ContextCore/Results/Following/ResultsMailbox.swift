/// Delivers the differences of a list to a consumer: it stores the newest list, the list that the consumer has, and changed values.
///
/// Its memory is bounded even if the consumer is slow: two lists, which share unchanged parts, and at most twice as many values as the
/// newest list has rows.
final class ResultsMailbox: Sendable {
    /// The list that the consumer has, the list that it receives, and the values that it doesn't have.
    private struct Update {
        let seen: ResultsSnapshot
        let latest: ResultsSnapshot
        let values: [ObjectSnapshot]
        let isFirst: Bool
    }

    private struct Content: InboxContent {
        var seen: ResultsSnapshot
        /// The newest list; nil once the consumer has it.
        var latest: ResultsSnapshot?
        /// The newest values that the consumer doesn't have, by key.
        var values: [Int64: ObjectSnapshot]
        /// Whether the consumer has no list yet; then the first difference is delivered even if it is empty.
        var isFirst: Bool

        mutating func update(_ list: ResultsSnapshot, _ newer: [Int64: ObjectSnapshot]) {
            latest = list
            values.merge(newer) { $1 }
            if values.count > 2 * list.count { removeValues(missingFrom: list) }
        }

        /// Removes the values of objects that no longer have a row.
        private mutating func removeValues(missingFrom list: ResultsSnapshot) {
            values = values.filter { list.list.row(of: $0.key) != nil }
        }

        mutating func removeNext() -> Update? {
            guard let latest else { return nil }
            removeValues(missingFrom: latest)
            defer { (seen, self.latest, values, isFirst) = (latest, nil, [:], false) }
            return Update(seen: seen, latest: latest, values: Array(values.values), isFirst: isFirst)
        }
    }

    /// Whether the consumer wants the values of the rows' objects.
    let wantsValues: Bool
    private let inbox: Inbox<Content>

    /// - Parameters:
    ///   - seen: The list that the consumer has.
    ///   - latest: The current list.
    ///   - isFirst: Whether the consumer has no list yet; then the first difference is delivered even if it is empty.
    ///   - values: The values of the current list's objects; nil if the consumer doesn't want values.
    init(
        seen: ResultsSnapshot, latest: ResultsSnapshot, isFirst: Bool, values: [Int64: ObjectSnapshot]? = nil
    ) {
        wantsValues = values != nil
        inbox = Inbox(Content(seen: seen, latest: latest, values: values ?? [:], isFirst: isFirst))
    }

    /// Replaces the newest list, and adds the values of changed objects.
    func post(_ snapshot: ResultsSnapshot, _ values: [Int64: ObjectSnapshot]) {
        let values = wantsValues ? values : [:]
        inbox.update { $0.update(snapshot, values) }
    }

    /// Closes the mailbox; the consumer still receives a waiting list.
    func close() { inbox.close() }

    /// Waits for a new list, and returns its difference from the last one returned; nil once the mailbox is closed and empty, or if the
    /// task is cancelled.
    func next() async -> (difference: ResultsDifference, values: [ObjectSnapshot])? {
        while let update = await inbox.next() {
            let difference = update.latest.difference(from: update.seen)
            if update.isFirst || !difference.isEmpty { return (difference, update.values) }
        }
        return nil
    }
}
