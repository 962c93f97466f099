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
    private struct Listener {
        weak var box: ValueMailbox<Value>?
    }

    /// Held, so that there is something to follow.
    private let context: ObjectContext
    private let expression: TypedExpression<Object, Value>
    private let plan: AggregatePlan
    /// The inheritance trees whose objects have a word in it, by their roots.
    private let roots: Set<Int>
    private var listeners: [Listener] = []

    /// What the objects come to.
    public private(set) var value: Value
    /// Why the value is not up to date: what kept it from being worked out; nil when it is.
    ///
    /// It is tried again when the context changes, or at ``refetch()``.
    public private(set) var failure: (any Error)?
    /// Called with each new value, in the context's isolation.
    ///
    /// The closure is held, so it must not hold what it is given to: capture that `unowned`.
    public var onChange: ((Value) -> Void)?

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
        let graph = context.graph
        let entity = graph.layout(of: type)
        let request = ValueRequest(
            entity.name, [ValueColumn(expression.expression, as: "")], where: predicate?.predicate)
        try graph.begin()
        plan = try request.plan(entity, in: graph)
        roots = plan.involvedRoots(in: graph.model)
        self.context = context
        self.expression = expression
        value = try expression.value(of: graph.lines(plan).first?.first ?? .null)
        graph.follow(self)
    }

    deinit { context.graph.unfollow(self) }

    /// Each value for a consumer in any isolation: first the one that it is, then each that it becomes.
    ///
    /// While the consumer is away, the newest is kept. The sequence keeps this object alive; it ends when the context goes away, or the task
    /// is cancelled.
    public var values: LiveValues<Value> {
        let box = ValueMailbox(value)
        listeners.append(Listener(box: box))
        context.graph.presentFollowers()
        return LiveValues(box: box)
    }

    /// Works the value out again.
    ///
    /// - Throws: What the store says.
    public func refetch() throws {
        try context.graph.begin()
        try update()
    }

    private func update() throws {
        let graph = context.graph
        let stored: StoredValue
        do {
            stored =
                try graph.settingErrorsAside {
                    try graph.withoutFaultingPolicy { try graph.lines(plan) }
                }.first?.first ?? .null
            let new = try expression.value(of: stored)
            failure = nil
            if new.storedValue == value.storedValue { return }
            value = new
        } catch {
            failure = error
            throw error
        }
        for listener in listeners { listener.box?.post(value) }
        onChange?(value)
    }
}

@available(*, unavailable, message: "A live value stays with its context; take its values.")
extension LiveValue: Sendable {}

extension LiveValue: GraphFollower {
    var isBehind: Bool { failure != nil }

    var isAwaited: Bool {
        listeners.removeAll { $0.box == nil }
        return !listeners.isEmpty
    }

    func follow(_ notices: GraphNotices) {
        guard isBehind || notices.isEverything || !notices.roots.isDisjoint(with: roots) else { return }
        // What could not be worked out is tried again the next time.
        try? update()
    }

    func graphDidClose() {
        for listener in listeners { listener.box?.close() }
        onChange = nil
    }
}
