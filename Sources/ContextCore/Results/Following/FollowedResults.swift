/// The results of a request, kept up to date as its context changes.
///
/// Changed objects are looked at again, one by one; the request is run again only where it can't be told which objects a change
/// concerns. What could not be looked at, because the store was out of reach, is looked at the next time.
final class FollowedResults {
    private let graph: ObjectGraph
    private var query: ResultsQuery
    private let naming: RowNaming
    private var contents: ResultsContents
    /// What is still to be looked at.
    private var missed = GraphNotices()
    /// Whether the request has still to be run again, as it was asked for and failed.
    private var hasToRun = false
    /// The number of the last look; no two looks of the process have the same, so that rows of two controllers are never taken for equal.
    private var revision = ResultsRow.nextRevision()
    private var mailboxes: [WeakMailbox] = []
    /// Is called with each change, in the context's isolation, as long as the controller is held.
    var onChange: ((ResultsDifference) -> Void)?
    weak var controller: AnyObject?
    /// Why the results are not up to date; nil when they are.
    private(set) var failure: (any Error)?
    /// How often the request was run.
    private(set) var runs = 0
    /// How many objects were looked at one by one.
    private(set) var looks = 0

    private struct WeakMailbox {
        weak var mailbox: ResultsMailbox?
    }

    init(_ query: ResultsQuery, in graph: ObjectGraph) throws {
        self.graph = graph
        self.query = query
        naming = RowNaming(
            identifiers: graph.parent.identifiers, root: graph.model.layouts[query.entity.rootIndex])
        contents = ResultsContents(isSectioned: query.section != nil)
        try graph.begin()
        contents.take(try run())
        graph.follow(self)
    }

    deinit { graph.unfollow(self) }

    // MARK: What is there

    var snapshot: ResultsSnapshot {
        let list = contents.list
        return ResultsSnapshot(
            list: list, naming: naming, totalCount: query.window == nil ? list.count : contents.totalCount)
    }
    /// Which of the rows that the request means are held; nil for all of them.
    var window: Range<Int>? { query.window }
    /// Whether there are sections.
    var isSectioned: Bool { contents.list.isSectioned }

    /// The object of a row.
    func object(_ row: ResultsRow) -> ManagedObject {
        contents.object(row.key) ?? graph.fault(row.key, graph.model.layouts[row.entityIndex])
    }

    /// Tells of what makes today's list, and those to come, of an earlier one; nil for an empty list.
    func mailbox(since snapshot: ResultsSnapshot?) -> ResultsMailbox {
        awaiting(ResultsMailbox(seen: snapshot ?? empty, latest: self.snapshot, isFirst: snapshot == nil))
    }

    /// The same with the values of the rows' objects, beginning with an empty list.
    func rowsMailbox() throws -> ResultsMailbox {
        let values = try values(of: contents.list.rows.elements, object)
        return awaiting(ResultsMailbox(seen: empty, latest: snapshot, isFirst: true, values: values))
    }

    private func awaiting(_ mailbox: ResultsMailbox) -> ResultsMailbox {
        mailboxes.append(WeakMailbox(mailbox: mailbox))
        graph.presentFollowers()
        return mailbox
    }

    private var empty: ResultsSnapshot {
        ResultsSnapshot(list: ResultsList(isSectioned: isSectioned), naming: naming, totalCount: 0)
    }

    /// What has to be fetched for the values of rows is none of the program's faults.
    private func values(of rows: [ResultsRow], _ object: (ResultsRow) -> ManagedObject) throws
        -> [Int64: ObjectSnapshot]
    {
        try graph.settingErrorsAside {
            try graph.withoutFaultingPolicy {
                var values: [Int64: ObjectSnapshot] = [:]
                for row in rows { values[row.key] = object(row).snapshot() }
                try graph.throwDeferredError()
                return values
            }
        }
    }

    // MARK: Running the request

    /// Runs the request again, and tells what is different.
    func refetch() throws {
        try graph.begin()
        try runAgain()
    }

    /// Holds other rows of those that the request means, and tells what is different.
    func move(to window: Range<Int>) throws {
        try graph.begin()
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
        hasToRun = true
        try update(run)
    }

    private func run() throws -> ResultsFinding {
        runs += 1
        try identifyNewObjects()
        let (found, count) = try graph.parent.inOneMoment { try (fetch(), countAll()) }
        let touched = missed.keys(rootIndex: query.entity.rootIndex)
        let placing = RowPlacing(query)
        var rows: [ResultsRow] = []
        var sections: Set<SectionEntry> = []
        var placings: [Int64: ObjectPlacing] = [:]
        for object in found {
            let placed = try graph.withoutFaultingPolicy { try placing.place(object, revision: revision) }
            let old = contents.list.row(of: object.key)
            let isSame =
                !missed.isEverything && !touched.contains(object.key)
                && old?.stands(where: placed.row) == true
            rows.append(isSame ? old ?? placed.row : placed.row)
            sections.insert(placed.section)
            placings[object.key] = ObjectPlacing(object: object, references: placed.references)
        }
        let list = ResultsList(rows, sections: sections, isSectioned: isSectioned)
        return .run(ResultsContents(list, totalCount: count, placings))
    }

    private func fetch() throws -> [ManagedObject] {
        try PendingFetch(graph: graph).objects(query.windowPlan, prefetching: query.prefetching)
    }

    /// Counts the rows that the request means, where not all of them are fetched.
    private func countAll() throws -> Int {
        query.window == nil ? 0 : try PendingFetch(graph: graph).count(query.plan)
    }

    /// A row keeps its identifier, so it has a permanent one from the beginning.
    private func identifyNewObjects() throws {
        if graph.hasTemporaryKeys { _ = try IdentityStage(graph: graph).assignKeys(SaveWork(graph)) }
    }

    // MARK: Looking at single objects

    private func look() throws -> ResultsFinding {
        try identifyNewObjects()
        let touched = missed.keys(rootIndex: query.entity.rootIndex)
        let keys = touched.union(rowsDependent())
        var found = try load(keys)
        if let suspects = query.suspects(missed, in: graph.model) {
            for object in try PendingFetch(graph: graph).objects(suspects) { found[object.key] = object }
        }
        var list = contents.list
        var placings: [Int64: ObjectPlacing] = [:]
        var gone: Set<Int64> = []
        let placing = RowPlacing(query)
        for key in keys.union(found.keys).sorted() {
            looks += 1
            guard let object = found[key], try placing.isMeant(object) else {
                list.remove(key)
                gone.insert(key)
                continue
            }
            let placed = try placing.place(object, revision: revision)
            placings[key] = ObjectPlacing(object: object, references: placed.references)
            // What it stands by may have changed without consequence; then nothing is to be told of it.
            if !touched.contains(key), list.row(of: key)?.stands(where: placed.row) == true { continue }
            list.insert(placed.row, in: placed.section)
        }
        return .looked(list, placings, gone: gone)
    }

    /// The rows whose places depend on something that has changed.
    private func rowsDependent() -> Set<Int64> {
        var keys: Set<Int64> = []
        for rootIndex in query.standing.reached {
            for key in missed.keys(rootIndex: rootIndex) {
                keys.formUnion(contents.dependencies.rows(on: RowReference(rootIndex: rootIndex, key: key)))
            }
        }
        return keys
    }

    /// The objects with some keys, as far as there are any, with their rows.
    private func load(_ keys: Set<Int64>) throws -> [Int64: ManagedObject] {
        let rootIndex = query.entity.rootIndex
        let merged = missed.merged[rootIndex] ?? []
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

extension FollowedResults: GraphFollower {
    /// How many objects are looked at one by one however short the list is.
    private static let mostLooks = 1000

    var isBehind: Bool { failure != nil }
    var listedRoot: Int? { query.isLimited ? nil : query.entity.rootIndex }

    var isAwaited: Bool {
        mailboxes.removeAll { $0.mailbox == nil }
        return !mailboxes.isEmpty
    }

    func follow(_ notices: GraphNotices) {
        missed.add(notices)
        // More objects than there are rows are not looked at one by one.
        let isLarge = missed.count > max(Self.mostLooks, contents.list.count)
        try? update(hasToRun || isLarge || query.isUntraceable(missed) ? run : look)
    }

    /// Brings the list up to date in one way or the other; where anything of it fails, what is held stays as everybody was told.
    private func update(_ find: () throws -> ResultsFinding) throws {
        revision = ResultsRow.nextRevision()
        let before = snapshot
        let (finding, values): (ResultsFinding, [Int64: ObjectSnapshot])
        do {
            (finding, values) = try graph.settingErrorsAside {
                try graph.withoutFaultingPolicy {
                    let finding = try find()
                    return (finding, try newValues(finding))
                }
            }
        } catch {
            failure = error
            throw error
        }
        contents.take(finding)
        missed = GraphNotices()
        hasToRun = false
        failure = nil
        tell(before, values)
    }

    /// The values of the rows that are new or have changed, if anybody wants them.
    private func newValues(_ finding: ResultsFinding) throws -> [Int64: ObjectSnapshot] {
        if !mailboxes.contains(where: { $0.mailbox?.wantsValues == true }) { return [:] }
        let changes = TreeChanges(from: contents.list.rows, to: finding.list.rows)
        return try values(of: (changes.added + changes.replaced).map(\.element)) {
            finding.object($0.key) ?? object($0)
        }
    }

    private func tell(_ before: ResultsSnapshot, _ values: [Int64: ObjectSnapshot]) {
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
