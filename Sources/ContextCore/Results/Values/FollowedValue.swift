/// An aggregate of all objects for which a predicate is true, kept up to date as its context changes.
///
/// It doesn't hold its context: whoever waits for values keeps it, and ends with the context.
final class FollowedValue<Object: ManagedObject, Value: AttributeValue> {
    private struct Listener {
        weak var box: ValueMailbox<Value>?
    }

    private let graph: ObjectGraph
    private let expression: TypedExpression<Object, Value>
    private let plan: AggregatePlan
    /// The inheritance trees whose objects have a word in it, by their roots.
    private let roots: Set<Int>
    private var listeners: [Listener] = []
    /// What the objects come to.
    private(set) var value: Value
    /// Why the value is not up to date; nil when it is.
    private(set) var failure: (any Error)?
    /// Is called with each new value, in the context's isolation, as long as the live value is held.
    var onChange: ((Value) -> Void)?
    weak var liveValue: AnyObject?

    init(
        _ expression: TypedExpression<Object, Value>, where predicate: TypedPredicate<Object>?,
        in graph: ObjectGraph
    ) throws {
        let entity = graph.layout(of: Object.self)
        let request = ValueRequest(
            entity.name, [ValueColumn(expression.expression, as: "")], where: predicate?.predicate)
        try graph.begin()
        plan = try request.plan(entity, in: graph)
        roots = plan.involvedRoots(in: graph.model)
        self.graph = graph
        self.expression = expression
        value = try expression.value(of: graph.lines(plan).first?.first ?? .null)
        graph.follow(self)
    }

    deinit { graph.unfollow(self) }

    /// Tells of the value that it is, and of each that it becomes.
    func mailbox() -> ValueMailbox<Value> {
        let box = ValueMailbox(value)
        listeners.append(Listener(box: box))
        graph.presentFollowers()
        return box
    }

    /// Works the value out again.
    func refetch() throws {
        try graph.begin()
        try update()
    }

    private func update() throws {
        do {
            let stored =
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
        guard let onChange, let liveValue else { return }
        withExtendedLifetime(liveValue) { onChange(value) }
    }
}

extension FollowedValue: GraphFollower {
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
