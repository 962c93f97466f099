/// An asynchronous sequence of the differences of a controller's results with the objects' values, for a consumer in any isolation.
///
/// ```swift
/// for await change in rows {
///     for case .insert(let id, let place) in change.steps { list.insert(change.rows[id]?.name ?? "", at: place) }
/// }
/// ```
///
/// It works like ``ResultsChanges``: each difference starts from the list of the previous one, and differences are merged while the
/// consumer is busy, so a slow consumer costs no more memory than two lists and the values of one. The sequence outlives its controller;
/// it ends when the context is released, or the task is cancelled. Several iterators over one sequence share its differences: each is
/// delivered to one of them.
public struct ResultsRows<Object: ManagedObject>: AsyncSequence, Sendable {
    let mailbox: ResultsMailbox

    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// The iterator of the sequence.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: ResultsMailbox

        public mutating func next() async -> RowsDifference<Object>? {
            await mailbox.next().map { RowsDifference($0.difference, $0.values) }
        }
    }
}

/// The steps that turn an old list into a new one, with the values of inserted and changed objects.
public struct RowsDifference<Object: ManagedObject>: Sendable {
    /// The steps, and the list after them.
    public let difference: ResultsDifference
    /// The values of the objects inserted or changed since the previous difference, by identifier.
    public let rows: [ObjectID: EntitySnapshot<Object>]
    /// The steps, in the order of application.
    public var steps: [ResultsStep] { difference.steps }

    fileprivate init(_ difference: ResultsDifference, _ values: [ObjectSnapshot]) {
        self.difference = difference
        rows = Dictionary(
            values.map { ($0.objectID, EntitySnapshot(objectSnapshot: $0)) }, uniquingKeysWith: { $1 })
    }
}
