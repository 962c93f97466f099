/// An aggregate of the objects that match a predicate, kept up to date as the context changes.
///
/// It doesn't retain its context; its mailboxes are closed when the context is released.
final class LiveValueState<Object: ManagedObject, Value: AttributeValue> {
    private struct Listener {
        weak var box: ValueMailbox<Value>?
    }

    private let graph: ObjectGraph
    private let expression: TypedExpression<Object, Value>
    private let plan: AggregatePlan
    /// The root entities whose objects affect the value.
    private let roots: Set<Int>
    private var listeners: [Listener] = []
    /// The current value.
    private(set) var value: Value
    /// The error that prevented the last update; nil if the value is up to date.
    private(set) var failure: (any Error)?
    /// Called with each new value, in the context's isolation, while the live value is alive.
    var onChange: ((Value) -> Void)?
    weak var liveValue: AnyObject?

    init(
        _ expression: TypedExpression<Object, Value>, where predicate: TypedPredicate<Object>?,
        in graph: ObjectGraph
    ) throws {
        let entity = graph.layout(of: Object.self)
        let request = ValueRequest(
            entity.name, [ValueColumn(expression.expression, as: "")], where: predicate?.predicate)
        try graph.prepareToRead()
        plan = try request.plan(entity, in: graph)
        roots = plan.dependencyRoots(in: graph.model)
        self.graph = graph
        self.expression = expression
        value = try expression.value(of: graph.resultRows(plan).first?.first ?? .null)
        graph.follow(self)
    }

    deinit { graph.unfollow(self) }

    /// Creates a mailbox for the current value and each new one.
    func mailbox() -> ValueMailbox<Value> {
        let box = ValueMailbox(value)
        listeners.append(Listener(box: box))
        graph.existingFollowers()
        return box
    }

    /// Computes the value again.
    func refetch() throws {
        try graph.prepareToRead()
        try update()
    }

    private func update() throws {
        do {
            let stored =
                try graph.withoutDeferredErrors {
                    try graph.withoutFaultingPolicy { try graph.resultRows(plan) }
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
        guard let onChange, let liveValue else { return }
        withExtendedLifetime(liveValue) { onChange(value) }
    }
}

extension LiveValueState: GraphFollower {
    var isBehind: Bool { failure != nil }

    var isAwaited: Bool {
        listeners.removeAll { $0.box == nil }
        return !listeners.isEmpty
    }

    func follow(_ changes: GraphChanges) {
        guard isBehind || changes.isUnknown || !changes.roots.isDisjoint(with: roots) else { return }
        // A failed update is retried with the next change.
        try? update()
    }

    func graphDidClose() {
        for listener in listeners { listener.box?.close() }
        onChange = nil
    }
}
