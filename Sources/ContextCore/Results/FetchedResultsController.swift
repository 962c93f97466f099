/// The results of a fetch request, ordered and sectioned, kept up to date as the context changes.
///
/// ```swift
/// let controller = try FetchedResultsController(
///     Player.self, order: .ascending(\.game?.title), .descending(\.score), sections: \.game?.title, in: context)
/// for await difference in controller.changes { table.apply(difference) }
/// ```
///
/// A controller retains its context, and stays in its isolation. It follows pending changes of the context, and changes that the context
/// merges, automatically or by `merge`: of other contexts, batches and processes. It updates at defined points, so that clients never see
/// part of a change: when a block of `perform` ends; when the context saves, merges, undoes, rolls back or refreshes; at
/// ``ObjectContext/processPendingChanges()``; and on the main actor, shortly after the current code there has ended. Between these
/// points the results don't change. A context that merges changes automatically also updates its controllers after other contexts and
/// processes have saved.
///
/// Following a change of a few objects costs nearly the same in a long list as in a short one, because only these objects are evaluated.
/// The request runs again only if it has a limit or an offset, if changed objects affect it through to-many relationships, or if the
/// changed objects aren't known. An inserted object gets its permanent identifier as soon as it has a row. A predicate that uses the
/// current time is evaluated for an object when the object changes.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The results, and a strong reference to their context.
    private let references: ContextReferences<LiveResults>
    var results: LiveResults { references.followed }
    private var context: ObjectContext { references.context }

    /// Runs a request and follows its results.
    ///
    /// Pending changes are always included. The request's prefetching applies.
    ///
    /// - Parameters:
    ///   - request: The objects and their order. Ties are broken by identifier.
    ///   - sections: The property whose value the rows of a section share; the path may contain to-one relationships. If the order doesn't
    ///     start with the property, the sections are sorted by it in ascending order.
    ///   - window: The range of the request's rows that the controller loads, such as `0..<100`; nil for all of them.
    ///   - context: The context of the objects.
    /// - Throws: The errors of ``ObjectContext/fetch(_:fileID:line:)``.
    public init(
        _ request: FetchRequest<Object>, sections: PropertyPath? = nil, window: Range<Int>? = nil,
        in context: ObjectContext
    ) throws {
        Self.check(window)
        let results = try LiveResults(
            ResultsQuery(request, sections: sections.map { .path($0) }, window: window, in: context),
            in: context.graph)
        references = ContextReferences(results, in: context)
        results.controller = self
    }

    private static func check(_ window: Range<Int>?) {
        requirePrecondition(
            window.map { $0.lowerBound >= 0 } ?? true,
            "The window of a results controller must start at row 0 or later.")
    }

    deinit { references.release { $0.onChange = nil } }

    /// Fetches objects of a class and follows the results.
    ///
    /// - Throws: The errors of ``ObjectContext/fetch(_:fileID:line:)``.
    public convenience init(
        _ type: Object.Type, where predicate: TypedPredicate<Object>? = nil, order: TypedSortKey<Object>...,
        sections: PartialKeyPath<Object>? = nil, limit: Int? = nil, window: Range<Int>? = nil,
        in context: ObjectContext
    ) throws {
        try self.init(
            FetchRequest(where: predicate, order: order, limit: limit),
            sections: sections.map(PropertyPathCache.path), window: window, in: context)
    }

    // MARK: Rows

    /// The number of rows; with a window, the number of rows in it.
    public var count: Int { snapshot.count }
    /// The number of rows of the request, inside and outside the window.
    public var totalCount: Int { snapshot.totalCount }
    /// The sections in order; a list without sections has one.
    public var sections: [ResultsSection] { snapshot.sections }
    /// All objects in order.
    public var objects: [Object] { snapshot.list.rows.elements.map(object) }

    /// The object of the row with an index.
    public subscript(index: Int) -> Object {
        requirePrecondition(
            index >= 0 && index < count, "The results controller has no row \(index): it has \(count) rows.")
        return object(snapshot.list.rows[index])
    }

    private func object(_ row: ResultsRow) -> Object {
        context.graph.typed(results.object(row), as: Object.self)
    }

    /// The object of the row at a position.
    public subscript(position: ResultsPosition) -> Object {
        self[snapshot.list.rank(at: position)]
    }

    /// Returns the number of rows in a section.
    public func count(inSection index: Int) -> Int { snapshot.count(inSection: index) }

    /// Returns the position of an object's row; nil if the object has none.
    public func position(of object: Object) -> ResultsPosition? { snapshot.position(of: object.objectID) }

    /// The list as a `Sendable` value.
    public var snapshot: ResultsSnapshot { results.snapshot }

    /// The error that prevented the last update; nil if the results are up to date.
    ///
    /// The update is retried when the context changes, or at ``refetch()``.
    public var failure: (any Error)? { results.failure }

    /// Runs the request again, and reports the differences.
    ///
    /// - Throws: Errors of the store.
    public func refetch() throws { try results.refetch() }

    // MARK: The window

    /// The range of the request's rows that the controller loads; nil for all of them.
    ///
    /// Sections, positions and differences refer to these rows only. The request may have fewer rows than the range.
    public var window: Range<Int>? { results.window }

    /// Moves the window, as for a scrolled list, and reports the differences.
    ///
    /// The cost depends on the number of rows in the window, not in the request. The window is fetched again whenever objects of an entity
    /// that the request involves have changed.
    ///
    /// - Parameter window: The new range of the request's rows.
    /// - Throws: Errors of the store; then the window stays as it was.
    public func move(to window: Range<Int>) throws {
        Self.check(window)
        try results.move(to: window)
    }

    // MARK: Changes

    /// A closure called with each difference, in the context's isolation, while the controller is alive.
    ///
    /// The controller retains the closure, so capture the controller `unowned` in it. Capture an object that owns the controller `weak`,
    /// because a main-actor object may be released on another thread while the closure is about to be called.
    public var onChange: ((ResultsDifference) -> Void)? {
        get { results.onChange }
        set { results.onChange = newValue }
    }

    /// The differences as an asynchronous sequence for any isolation, starting with a difference from an empty list.
    ///
    /// The first difference is delivered at once. It has no steps if the list is empty.
    public var changes: ResultsChanges { ResultsChanges(mailbox: results.mailbox(since: nil)) }

    /// Returns the differences with the values of their objects, as an asynchronous sequence for any isolation.
    ///
    /// It starts with a difference from an empty list, which is delivered at once, and has no steps if the list is empty.
    ///
    /// - Throws: Errors of the store, if objects must be fetched for their values.
    public func rows() throws -> ResultsRows<Object> { ResultsRows(mailbox: try results.rowsMailbox()) }

    /// Returns the differences from a list that the consumer already has.
    ///
    /// The first difference is delivered as soon as the current list differs from that list.
    public func changes(since snapshot: ResultsSnapshot) -> ResultsChanges {
        ResultsChanges(mailbox: results.mailbox(since: snapshot))
    }
}

@available(
    *, unavailable,
    message: "A controller stays in its context's isolation; send its changes or a snapshot instead."
)
extension FetchedResultsController: Sendable {}
