/// An aggregate of the objects that match a predicate, such as a count or a sum, kept up to date as the context changes.
///
/// ```swift
/// let total = try LiveValue(Player.self, .sum(\.score), where: \.game?.title == "Go", in: context)
/// print(total.value)
/// for await sum in total.values { label.text = "\(sum)" }
/// ```
///
/// It retains its context, stays in its isolation, and updates at the same points as a ``FetchedResultsController``, whenever objects of an
/// entity that the aggregate involves have changed. The store computes the aggregate, and pending changes are included in memory.
public final class LiveValue<Object: ManagedObject, Value: AttributeValue> {
    /// The value, and a strong reference to its context.
    private let references: ContextReferences<LiveValueState<Object, Value>>
    private var followed: LiveValueState<Object, Value> { references.followed }

    /// Computes an aggregate and follows it.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - expression: The aggregate: `.count()`, `.sum(\.score)`, `.average(…)`, `.minimum(…)`, `.maximum(…)`.
    ///   - predicate: The condition that objects must match; nil for all objects.
    ///   - context: The context; its pending changes are included.
    /// - Throws: The errors of ``ObjectContext/aggregate(_:_:where:)``.
    public init(
        _ type: Object.Type, _ expression: TypedExpression<Object, Value>,
        where predicate: TypedPredicate<Object>? = nil, in context: ObjectContext
    ) throws {
        let followed = try LiveValueState(expression, where: predicate, in: context.graph)
        references = ContextReferences(followed, in: context)
        followed.liveValue = self
    }

    deinit { references.release { $0.onChange = nil } }

    /// The current value.
    public var value: Value { followed.value }

    /// The error that prevented the last update; nil if the value is up to date.
    ///
    /// The update is retried when the context changes, or at ``refetch()``.
    public var failure: (any Error)? { followed.failure }

    /// A closure called with each new value, in the context's isolation, while the live value is alive.
    ///
    /// The live value retains the closure, so capture the live value `unowned` in it, and an object that owns the live value `weak`.
    public var onChange: ((Value) -> Void)? {
        get { followed.onChange }
        set { followed.onChange = newValue }
    }

    /// The current value and each new one, as an asynchronous sequence for any isolation.
    ///
    /// While the consumer is busy, only the newest value waits for it. The sequence outlives the live value; it ends when the context is
    /// released or the task is cancelled.
    public var values: LiveValues<Value> { LiveValues(box: followed.mailbox()) }

    /// Computes the value again.
    ///
    /// - Throws: Errors of the store.
    public func refetch() throws { try followed.refetch() }
}

@available(*, unavailable, message: "A live value stays in its context's isolation; send its values instead.")
extension LiveValue: Sendable {}
