/// The objects that a request asks for, in their order and their sections, kept up to date as the context changes.
///
/// ```swift
/// let controller = try FetchedResultsController(
///     Player.self, order: .ascending(\.game?.title), .descending(\.score), sections: \.game?.title, in: context)
/// for await difference in controller.changes { table.apply(difference) }
/// ```
///
/// A controller holds its context, and stays in its isolation. It follows what is changed in the context and not saved yet, and
/// what the context takes in of others: automatically or by `merge`, of other contexts, batches and processes. It does so at quiet
/// moments, so that nobody sees half a change: when a block of `perform` ends; when the context saves, merges, undoes, rolls back or
/// refreshes; at ``ObjectContext/processPendingChanges()``; and on the main actor, shortly after the code there has come to its end.
/// Between them the results stand still. A context that merges changes automatically is woken for that, if there is a
/// controller in it, whenever others have saved.
///
/// Following a change of a few objects costs the same in a long list as in a short one, nearly: they are looked at one by one. The
/// request is run again only if it has a limit or an offset, reaches changed objects through relationships to many objects, or if it
/// isn't known what has changed. An object gets its permanent identifier when it gets its row. Functions of the present moment
/// are worked out when an object is looked at.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The results and their context, which is held so that there is something to follow.
    private let hold: ContextHold<FollowedResults>
    var results: FollowedResults { hold.followed }
    private var context: ObjectContext { hold.context }

    /// Runs a request and follows its results.
    ///
    /// Pending changes always count, and the request says which relationships to fetch along.
    ///
    /// - Parameters:
    ///   - request: Which objects, in which order. Ties are broken by identifier.
    ///   - sections: What the rows of a section have in common: a property, or one that to-one relationships lead to. Where the order
    ///     doesn't begin with it, the sections are ordered by it, going up.
    ///   - window: Which of the rows that the request means are held, such as 0..<100; nil for all of them.
    ///   - context: Whose objects the results are.
    /// - Throws: What ``ObjectContext/fetch(_:fileID:line:)`` throws.
    public init(
        _ request: FetchRequest<Object>, sections: PropertyPath? = nil, window: Range<Int>? = nil,
        in context: ObjectContext
    ) throws {
        Self.check(window)
        let results = try FollowedResults(
            ResultsQuery(request, sections: sections.map { .path($0) }, window: window, in: context),
            in: context.graph)
        hold = ContextHold(results, in: context)
        results.controller = self
    }

    private static func check(_ window: Range<Int>?) {
        requirePrecondition(window.map { $0.lowerBound >= 0 } ?? true, "A window begins at row 0 or later.")
    }

    deinit { hold.release { $0.onChange = nil } }

    /// Fetches objects of a class and follows them.
    ///
    /// - Throws: What ``ObjectContext/fetch(_:fileID:line:)`` throws.
    public convenience init(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        sections: PartialKeyPath<Object>? = nil, limit: Int? = nil, window: Range<Int>? = nil,
        in context: ObjectContext
    ) throws {
        try self.init(
            FetchRequest(where: predicate, order: order, limit: limit),
            sections: sections.map(PropertyPathCache.path), window: window, in: context)
    }

    // MARK: What is there

    /// How many rows there are; with a window, how many are in it.
    public var count: Int { snapshot.count }
    /// How many rows the request means, whether or not they are in the window.
    public var totalCount: Int { snapshot.totalCount }
    /// The sections in their order; one where there are no sections.
    public var sections: [ResultsSection] { snapshot.sections }
    /// All objects in their order.
    public var objects: [Object] { snapshot.list.rows.elements.map(object) }

    /// The object of the row that so many others precede.
    public subscript(index: Int) -> Object {
        requirePrecondition(index >= 0 && index < count, "There is no row \(index) among \(count).")
        return object(snapshot.list.rows[index])
    }

    private func object(_ row: ResultsRow) -> Object {
        context.graph.typed(results.object(row), as: Object.self)
    }

    /// The object of the row at a place.
    public subscript(position: ResultsPosition) -> Object {
        self[snapshot.list.rank(at: position)]
    }

    /// How many rows a section has.
    public func count(inSection index: Int) -> Int { snapshot.count(inSection: index) }

    /// Where an object's row is; nil when it has none.
    public func position(of object: Object) -> ResultsPosition? { snapshot.position(of: object.objectID) }

    /// The list as a value that may cross.
    public var snapshot: ResultsSnapshot { results.snapshot }

    /// Why the results are not up to date: what kept the last change from being followed; nil when they are.
    ///
    /// The controller tries again when the context changes, or at ``refetch()``.
    public var failure: (any Error)? { results.failure }

    /// Runs the request again, and tells what is different.
    ///
    /// - Throws: What the store says.
    public func refetch() throws { try results.refetch() }

    // MARK: The window

    /// Which of the rows that the request means are held; nil for all of them.
    ///
    /// Sections, positions and differences are about these alone. There may be fewer of them than fit.
    public var window: Range<Int>? { results.window }

    /// Holds other rows of those that the request means, and tells what is different: a list that is scrolled.
    ///
    /// What a window shows costs what its rows do, however many the request means. It is fetched anew when something has changed that
    /// the request is about.
    ///
    /// - Parameter window: The ranks of the rows, among all that the request means.
    /// - Throws: What the store says; then the controller holds what it held.
    public func move(to window: Range<Int>) throws {
        Self.check(window)
        try results.move(to: window)
    }

    // MARK: What changes

    /// Called with each change, in the context's isolation, when the controller has followed it, as long as somebody holds it.
    ///
    /// The controller holds the closure, so the closure must not hold the controller: capture it `unowned`. Capture an object that holds the
    /// controller `weak`: one of the main actor may be released on another thread while the closure is about to be called.
    public var onChange: ((ResultsDifference) -> Void)? {
        get { results.onChange }
        set { results.onChange = newValue }
    }

    /// What changes, for a consumer in any isolation: first all that is there, as a difference to an empty list.
    ///
    /// The first difference comes at once. It has no steps where the list is empty.
    public var changes: ResultsChanges { ResultsChanges(mailbox: results.mailbox(since: nil)) }

    /// What changes, with the values of the objects, for a consumer in any isolation who shows them.
    ///
    /// It begins with all that is there, as a difference to an empty list. The first difference comes at once, and has no steps where the
    /// list is empty.
    ///
    /// - Throws: What the store says where objects have to be fetched for their values.
    public func rows() throws -> ResultsRows<Object> { ResultsRows(mailbox: try results.rowsMailbox()) }

    /// What changes, for a consumer who has a list already.
    ///
    /// The first difference comes when the list is another one than his.
    public func changes(since snapshot: ResultsSnapshot) -> ResultsChanges {
        ResultsChanges(mailbox: results.mailbox(since: snapshot))
    }
}

@available(*, unavailable, message: "A controller stays with its context; take its changes or a snapshot.")
extension FetchedResultsController: Sendable {}
