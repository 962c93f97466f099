/// What all objects for which a predicate is true come to, such as their number or a sum, kept up to date as the context changes.
///
/// ```swift
/// let total = try LiveValue(Player.self, .sum(\.score), where: \.game?.title == "Go", in: context)
/// print(total.value)
/// for await sum in total.values { label.text = "\(sum)" }
/// ```
///
/// It holds its context, stays in its isolation, and changes at the same quiet moments as a ``FetchedResultsController``, when anything has
/// changed in an entity that has a word in it. Then it is worked out anew: by the store, or in memory as far as changes are pending.
public final class LiveValue<Object: ManagedObject, Value: AttributeValue> {
    /// The value and its context, which is held so that there is something to follow.
    private let hold: ContextHold<FollowedValue<Object, Value>>
    private var followed: FollowedValue<Object, Value> { hold.followed }

    /// Works an aggregate out and follows it.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - expression: What is worked out: `.count()`, `.sum(\.score)`, `.average(…)`, `.minimum(…)`, `.maximum(…)`.
    ///   - predicate: Which objects count; nil for all.
    ///   - context: Whose objects they are; what is pending in it counts.
    /// - Throws: What ``ObjectContext/aggregate(_:_:where:)`` throws.
    public init(
        _ type: Object.Type, _ expression: TypedExpression<Object, Value>,
        where predicate: TypedPredicate<Object>? = nil, in context: ObjectContext
    ) throws {
        let followed = try FollowedValue(expression, where: predicate, in: context.graph)
        hold = ContextHold(followed, in: context)
        followed.liveValue = self
    }

    deinit { hold.release { $0.onChange = nil } }

    /// What the objects come to.
    public var value: Value { followed.value }

    /// Why the value is not up to date: what kept it from being worked out; nil when it is.
    ///
    /// It is tried again when the context changes, or at ``refetch()``.
    public var failure: (any Error)? { followed.failure }

    /// Called with each new value, in the context's isolation, as long as somebody holds this object.
    ///
    /// The closure is held, so it must not hold this object: capture it `unowned`, and an object that holds it `weak`.
    public var onChange: ((Value) -> Void)? {
        get { followed.onChange }
        set { followed.onChange = newValue }
    }

    /// Each value for a consumer in any isolation: first the one that it is, then each that it becomes.
    ///
    /// While the consumer is away, the newest is kept. The values go on without this object; the sequence ends when the context goes
    /// away, or the task is cancelled.
    public var values: LiveValues<Value> { LiveValues(box: followed.mailbox()) }

    /// Works the value out again.
    ///
    /// - Throws: What the store says.
    public func refetch() throws { try followed.refetch() }
}

@available(*, unavailable, message: "A live value stays with its context; take its values.")
extension LiveValue: Sendable {}
