/// The results of a request, kept up to date as the context changes.
///
/// Changed objects are evaluated again, one by one; the request is repeated only if the objects that a change affects can't be determined.
/// Changes that can't be evaluated because the store is unreachable stay pending until the next update.
final class LiveResults {
    private let graph: ObjectGraph
    private var query: ResultsQuery
    private let rowIdentifiers: RowIdentifiers
    private var contents: ResultsContents
    /// The changes that have not been evaluated yet.
    private var pendingChanges = GraphChanges()
    /// Whether the request must run again because the last run failed.
    private var needsRun = false
    /// The number of the last update, which is unique in the process, so that rows of two controllers are never equal.
    private var revision = ResultsRow.nextRevision()
    private var mailboxes: [WeakMailbox] = []
    /// Called with each difference, in the context's isolation, while the controller is alive.
    var onChange: ((ResultsDifference) -> Void)?
    weak var controller: AnyObject?
    /// The error that prevented the last update; nil if the results are up to date.
    private(set) var failure: (any Error)?
    /// How often the request has run.
    private(set) var runCount = 0
    /// The number of objects that were evaluated one by one.
    private(set) var evaluationCount = 0

    private struct WeakMailbox {
        weak var mailbox: ResultsMailbox?
    }

    init(_ query: ResultsQuery, in graph: ObjectGraph) throws {
        self.graph = graph
        self.query = query
        rowIdentifiers = RowIdentifiers(
            identifiers: graph.parent.identifiers, root: graph.model.layouts[query.entity.rootIndex])
        contents = ResultsContents(isSectioned: query.section != nil)
        try graph.prepareToRead()
        contents.apply(try run())
        graph.follow(self)
    }

    deinit { graph.unfollow(self) }

    // MARK: Rows

    var snapshot: ResultsSnapshot {
        let list = contents.list
        return ResultsSnapshot(
            list: list, rowIdentifiers: rowIdentifiers,
            totalCount: query.window == nil ? list.count : contents.totalCount)
    }
    /// The range of the request's rows that are loaded; nil for all of them.
    var window: Range<Int>? { query.window }
    /// Whether the rows are divided into sections.
    var isSectioned: Bool { contents.list.isSectioned }

    /// Returns the object of a row.
    func object(_ row: ResultsRow) -> ManagedObject {
        contents.object(row.key) ?? graph.fault(row.key, graph.model.layouts[row.entityIndex])
    }

    /// Creates a mailbox for the differences from an earlier list, or from an empty list if it is nil.
    func mailbox(since snapshot: ResultsSnapshot?) -> ResultsMailbox {
        addMailbox(ResultsMailbox(seen: snapshot ?? empty, latest: self.snapshot, isFirst: snapshot == nil))
    }

    /// Creates a mailbox for the differences from an empty list, with the values of the rows' objects.
    func rowsMailbox() throws -> ResultsMailbox {
        let values = try values(of: contents.list.rows.elements, object)
        return addMailbox(ResultsMailbox(seen: empty, latest: snapshot, isFirst: true, values: values))
    }

    private func addMailbox(_ mailbox: ResultsMailbox) -> ResultsMailbox {
        mailboxes.append(WeakMailbox(mailbox: mailbox))
        graph.existingFollowers()
        return mailbox
    }

    private var empty: ResultsSnapshot {
        ResultsSnapshot(
            list: ResultsList(isSectioned: isSectioned), rowIdentifiers: rowIdentifiers, totalCount: 0)
    }

    /// Returns the values of rows' objects; fetching them doesn't count as faults that the program has fired.
    private func values(of rows: [ResultsRow], _ object: (ResultsRow) -> ManagedObject) throws
        -> [Int64: ObjectSnapshot]
    {
        try graph.withoutDeferredErrors {
            try graph.withoutFaultingPolicy {
                var values: [Int64: ObjectSnapshot] = [:]
                for row in rows { values[row.key] = object(row).snapshot() }
                try graph.throwDeferredError()
                return values
            }
        }
    }

    // MARK: Running the request

    /// Runs the request again, and reports the differences.
    func refetch() throws {
        try graph.prepareToRead()
        try runAgain()
    }

    /// Moves the window, and reports the differences.
    func move(to window: Range<Int>) throws {
        try graph.prepareToRead()
        let before = query.window
        query.window = window
        do {
            try runAgain()
        } catch {
            query.window = before
            throw error
        }
    }

    private func runAgain() throws {
        needsRun = true
        try update(run)
    }

    private func run() throws -> ResultsUpdate {
        runCount += 1
        try identifyNewObjects()
        let (found, count) = try graph.parent.withSnapshot { try (fetch(), countAll()) }
        let touched = pendingChanges.keys(rootIndex: query.entity.rootIndex)
        let evaluator = RowEvaluator(query)
        var rows: [ResultsRow] = []
        var sections: Set<SectionEntry> = []
        var listedObjects: [Int64: ListedObject] = [:]
        for object in found {
            let evaluatedRow = try graph.withoutFaultingPolicy {
                try evaluator.evaluate(object, revision: revision)
            }
            let old = contents.list.row(of: object.key)
            let isSame =
                !pendingChanges.isUnknown && !touched.contains(object.key)
                && old?.hasSamePosition(as: evaluatedRow.row) == true
            rows.append(isSame ? old ?? evaluatedRow.row : evaluatedRow.row)
            sections.insert(evaluatedRow.section)
            listedObjects[object.key] = ListedObject(object: object, references: evaluatedRow.references)
        }
        let list = ResultsList(rows, sections: sections, isSectioned: isSectioned)
        return .run(ResultsContents(list, totalCount: count, listedObjects))
    }

    private func fetch() throws -> [ManagedObject] {
        try PendingFetch(graph: graph).objects(query.windowPlan, prefetching: query.prefetching)
    }

    /// Counts the rows of the request if not all of them are fetched.
    private func countAll() throws -> Int {
        query.window == nil ? 0 : try PendingFetch(graph: graph).count(query.plan)
    }

    /// Assigns permanent identifiers to inserted objects, because a row's identifier must not change.
    private func identifyNewObjects() throws {
        if graph.hasTemporaryKeys { _ = try IdentityStage(graph: graph).assignKeys(SaveSelection(graph)) }
    }

    // MARK: Evaluating single objects

    private func evaluateChanges() throws -> ResultsUpdate {
        try identifyNewObjects()
        let touched = pendingChanges.keys(rootIndex: query.entity.rootIndex)
        let keys = touched.union(dependentRows())
        var found = try load(keys)
        if let candidatePlan = query.candidatePlan(pendingChanges, in: graph.model) {
            for object in try PendingFetch(graph: graph).objects(candidatePlan) { found[object.key] = object }
        }
        var list = contents.list
        var listedObjects: [Int64: ListedObject] = [:]
        var removed: Set<Int64> = []
        let evaluator = RowEvaluator(query)
        for key in keys.union(found.keys).sorted() {
            evaluationCount += 1
            guard let object = found[key], try evaluator.isResult(object) else {
                list.remove(key)
                removed.insert(key)
                continue
            }
            let evaluatedRow = try evaluator.evaluate(object, revision: revision)
            listedObjects[key] = ListedObject(object: object, references: evaluatedRow.references)
            // A related object may have changed without effect on this row, which then isn't reported as updated.
            if !touched.contains(key), list.row(of: key)?.hasSamePosition(as: evaluatedRow.row) == true {
                continue
            }
            list.insert(evaluatedRow.row, in: evaluatedRow.section)
        }
        return .evaluated(list, listedObjects, removed: removed)
    }

    /// Returns the keys of the rows whose positions depend on changed objects.
    private func dependentRows() -> Set<Int64> {
        var keys: Set<Int64> = []
        for rootIndex in query.positionDependencies.relatedRoots {
            for key in pendingChanges.keys(rootIndex: rootIndex) {
                keys.formUnion(contents.dependencies.rows(on: RowReference(rootIndex: rootIndex, key: key)))
            }
        }
        return keys
    }

    /// Returns the existing objects with the given keys, and loads their values.
    private func load(_ keys: Set<Int64>) throws -> [Int64: ManagedObject] {
        let rootIndex = query.entity.rootIndex
        let merged = pendingChanges.merged[rootIndex] ?? []
        var found: [Int64: ManagedObject] = [:]
        var absent: [Int64] = []
        for key in keys {
            if let known = graph.identities.object(key, rootIndex: rootIndex), !known.isFault {
                found[key] = known
            } else if merged.contains(key) || graph.identities.object(key, rootIndex: rootIndex) != nil {
                absent.append(key)
            }
        }
        if absent.isEmpty { return found }
        let group = RowGroup(try graph.parent.rows(absent.sorted(), entityIndex: rootIndex))
        for row in 0..<Int32(group.batch.count) {
            let object = graph.object(group, row)
            found[object.key] = object
        }
        return found
    }
}

extension LiveResults: GraphFollower {
    /// Up to this number of changed objects are evaluated one by one, even if the list has fewer rows.
    private static let minimumRunThreshold = 1000

    var isBehind: Bool { failure != nil }
    var examinedRootIndex: Int? { query.isLimited ? nil : query.entity.rootIndex }

    var isAwaited: Bool {
        mailboxes.removeAll { $0.mailbox == nil }
        return !mailboxes.isEmpty
    }

    func follow(_ changes: GraphChanges) {
        pendingChanges.add(changes)
        // If more objects have changed than the list has rows, running the request is cheaper.
        let isLarge = pendingChanges.count > max(Self.minimumRunThreshold, contents.list.count)
        try? update(needsRun || isLarge || query.requiresRun(pendingChanges) ? run : evaluateChanges)
    }

    /// Updates the list and reports the differences; if it fails, the list is unchanged.
    private func update(_ find: () throws -> ResultsUpdate) throws {
        revision = ResultsRow.nextRevision()
        let before = snapshot
        let (finding, values): (ResultsUpdate, [Int64: ObjectSnapshot])
        do {
            (finding, values) = try graph.withoutDeferredErrors {
                try graph.withoutFaultingPolicy {
                    let finding = try find()
                    return (finding, try newValues(finding))
                }
            }
        } catch {
            failure = error
            throw error
        }
        contents.apply(finding)
        pendingChanges = GraphChanges()
        needsRun = false
        failure = nil
        report(before, values)
    }

    /// Returns the values of new and changed rows, if a consumer wants them.
    private func newValues(_ finding: ResultsUpdate) throws -> [Int64: ObjectSnapshot] {
        if !mailboxes.contains(where: { $0.mailbox?.wantsValues == true }) { return [:] }
        let changes = TreeChanges(from: contents.list.rows, to: finding.list.rows)
        return try values(of: (changes.added + changes.replaced).map(\.element)) {
            finding.object($0.key) ?? object($0)
        }
    }

    private func report(_ before: ResultsSnapshot, _ values: [Int64: ObjectSnapshot]) {
        let after = snapshot
        if after.totalCount == before.totalCount,
            TreeChanges(from: before.list.rows, to: after.list.rows).isEmpty
        {
            return
        }
        for box in mailboxes { box.mailbox?.post(after, values) }
        guard let onChange, let controller else { return }
        withExtendedLifetime(controller) { onChange(after.difference(from: before)) }
    }

    func graphDidClose() {
        for box in mailboxes { box.mailbox?.close() }
        onChange = nil
    }
}
