/// What changes in the results of a controller, with the values of the objects, for a consumer in any isolation.
///
/// ```swift
/// for await change in rows {
///     for case .insert(let id, let place) in change.steps { list.insert(change.rows[id]?.name ?? "", at: place) }
/// }
/// ```
///
/// It is to values what ``ResultsChanges`` is to identifiers: the differences build on each other, and while a consumer is away they are
/// made one. So a slow one holds no more than two lists and the values of one. The sequence goes on without its controller; it ends when the
/// context goes away, or the task is cancelled. Each difference goes to one of those that iterate over the same sequence.
public struct ResultsRows<Object: ManagedObject>: AsyncSequence, Sendable {
    let mailbox: ResultsMailbox

    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// Waits for one difference after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: ResultsMailbox

        public mutating func next() async -> RowsDifference<Object>? {
            await mailbox.next().map { RowsDifference($0.difference, $0.values) }
        }
    }
}

/// What makes a new list of an old one, with the values of the objects that are new in it or have changed.
public struct RowsDifference<Object: ManagedObject>: Sendable {
    /// What is to be done, and the list as it is afterwards.
    public let difference: ResultsDifference
    /// The values of the objects that have come or changed since the difference before, by identifier.
    public let rows: [ObjectID: EntitySnapshot<Object>]
    /// What is to be done, step by step.
    public var steps: [ResultsStep] { difference.steps }

    fileprivate init(_ difference: ResultsDifference, _ values: [ObjectSnapshot]) {
        self.difference = difference
        rows = Dictionary(
            values.map { ($0.objectID, EntitySnapshot(objectSnapshot: $0)) }, uniquingKeysWith: { $1 })
    }
}
