/// The results of a request, kept up to date as its context changes.
///
/// Changed objects are looked at again, one by one; the request is run again only where it can't be told which objects a change
/// concerns. What could not be looked at, because the store was out of reach, is looked at the next time.
final class FollowedResults {
    private let graph: ObjectGraph
    private var query: ResultsQuery
    private let naming: RowNaming
    private var list: ResultsList
    /// How many rows the request means, in and out of the window.
    private var totalCount = 0
    /// The objects of the rows, by key.
    private var objects: [Int64: ManagedObject] = [:]
    private var dependencies = RowDependencies()
    /// What is still to be looked at.
    private var missed = GraphNotices()
    /// The number of the last look; no two looks of the process have the same, so that rows of two controllers are never taken for equal.
    private var revision = ResultsRow.nextRevision()
    private var mailboxes: [WeakMailbox] = []
    private var rowMailboxes: [WeakRowsMailbox] = []
    /// Who is told of each change, in the context's isolation.
    var onChange: ((ResultsDifference) -> Void)?
    /// Why the results are not up to date; nil when they are.
    private(set) var failure: (any Error)?
    /// How often the request was run.
    private(set) var runs = 0
    /// How many objects were looked at one by one.
    private(set) var looks = 0

    private struct WeakMailbox {
        weak var mailbox: ResultsMailbox?
    }

    private struct WeakRowsMailbox {
        weak var mailbox: RowsMailbox?
    }

    init(_ query: ResultsQuery, in graph: ObjectGraph) throws {
        self.graph = graph
        self.query = query
        naming = RowNaming(
            identifiers: graph.parent.identifiers, root: graph.model.layouts[query.entity.rootIndex])
        list = ResultsList(isSectioned: query.section != nil)
        try graph.begin()
        try run()
        graph.follow(self)
    }

    deinit { graph.unfollow(self) }

    // MARK: What is there

    var snapshot: ResultsSnapshot {
        ResultsSnapshot(list: list, naming: naming, totalCount: query.window == nil ? list.count : totalCount)
    }
    /// Which of the rows that the request means are held; nil for all of them.
    var window: Range<Int>? { query.window }
    /// Whether there are sections.
    var isSectioned: Bool { list.isSectioned }

    /// The object of a row.
    func object(_ row: ResultsRow) -> ManagedObject {
        objects[row.key] ?? graph.fault(row.key, graph.model.layouts[row.entityIndex])
    }

    /// Tells of what makes today's list, and those to come, of an earlier one; nil for an empty list.
    func mailbox(since snapshot: ResultsSnapshot?) -> ResultsMailbox {
        let mailbox = ResultsMailbox(seen: snapshot ?? empty, latest: self.snapshot)
        mailboxes.append(WeakMailbox(mailbox: mailbox))
        graph.presentFollowers()
        return mailbox
    }

    /// The same with the values of the rows' objects, beginning with an empty list.
    func rowsMailbox() throws -> RowsMailbox {
        let all = try graph.settingErrorsAside { try values(of: list.rows.elements) }
        let mailbox = RowsMailbox(seen: empty, latest: snapshot, all)
        rowMailboxes.append(WeakRowsMailbox(mailbox: mailbox))
        graph.presentFollowers()
        return mailbox
    }

    private var empty: ResultsSnapshot {
        ResultsSnapshot(list: ResultsList(isSectioned: list.isSectioned), naming: naming, totalCount: 0)
    }

    private func values(of rows: [ResultsRow]) throws -> [Int64: ObjectSnapshot] {
        var values: [Int64: ObjectSnapshot] = [:]
        for row in rows { values[row.key] = object(row).snapshot() }
        try graph.throwDeferredError()
        return values
    }

    // MARK: Running the request

    /// Runs the request again, and tells what is different.
    func refetch() throws {
        try graph.begin()
        try update(run)
    }

    /// Holds other rows of those that the request means, and tells what is different.
    func move(to window: Range<Int>) throws {
        try graph.begin()
        let before = query.window
        query.window = window
        do {
            try update(run)
        } catch {
            query.window = before
            throw error
        }
    }

    private func run() throws {
        runs += 1
        try identifyNewObjects()
        let (found, count) = try graph.parent.inOneMoment { try (fetch(), countAll()) }
        let touched = missed.keys(rootIndex: query.entity.rootIndex)
        let placing = RowPlacing(query)
        var rows: [ResultsRow] = []
        var sections: Set<SectionEntry> = []
        var objects: [Int64: ManagedObject] = [:]
        var dependencies = RowDependencies()
        for object in found {
            let placed = try graph.withoutFaultingPolicy { try placing.place(object, revision: revision) }
            let old = list.row(of: object.key)
            let isSame =
                !missed.isEverything && !touched.contains(object.key)
                && old?.stands(where: placed.row) == true
            rows.append(isSame ? old ?? placed.row : placed.row)
            sections.insert(placed.section)
            objects[object.key] = object
            dependencies.set(placed.references, of: object.key)
        }
        list = ResultsList(rows, sections: sections, isSectioned: list.isSectioned)
        totalCount = count
        self.objects = objects
        self.dependencies = dependencies
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

    private func look() throws {
        try identifyNewObjects()
        let touched = missed.keys(rootIndex: query.entity.rootIndex)
        let keys = touched.union(rowsDependent())
        var found = try load(keys)
        if let suspects = query.suspects(missed, in: graph.model) {
            for object in try PendingFetch(graph: graph).objects(suspects) { found[object.key] = object }
        }
        // On a copy, since any of them may fail.
        var list = list
        let placing = RowPlacing(query)
        for key in keys.union(found.keys).sorted() {
            looks += 1
            guard let object = found[key], try placing.isMeant(object) else {
                list.remove(key)
                continue
            }
            let placed = try placing.place(object, revision: revision)
            dependencies.set(placed.references, of: key)
            // What it stands by may have changed without consequence; then nothing is to be told of it.
            if !touched.contains(key), list.row(of: key)?.stands(where: placed.row) == true { continue }
            list.insert(placed.row, in: placed.section)
            objects[key] = object
        }
        self.list = list
        for key in keys.union(found.keys) where list.row(of: key) == nil {
            objects[key] = nil
            dependencies.set([], of: key)
        }
    }

    /// The rows whose places depend on something that has changed.
    private func rowsDependent() -> Set<Int64> {
        var keys: Set<Int64> = []
        for rootIndex in query.standing.reached {
            for key in missed.keys(rootIndex: rootIndex) {
                keys.formUnion(dependencies.rows(on: RowReference(rootIndex: rootIndex, key: key)))
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

    var isAwaited: Bool {
        mailboxes.removeAll { $0.mailbox == nil }
        rowMailboxes.removeAll { $0.mailbox == nil }
        return !mailboxes.isEmpty || !rowMailboxes.isEmpty
    }

    func follow(_ notices: GraphNotices) {
        missed.add(notices)
        // More objects than there are rows are not looked at one by one.
        let isLarge = missed.count > max(Self.mostLooks, list.count)
        try? update(isLarge || query.isUntraceable(missed) ? run : look)
    }

    /// Brings the list up to date in one way or the other.
    private func update(_ work: () throws -> Void) throws {
        revision = ResultsRow.nextRevision()
        let before = snapshot
        var values: [Int64: ObjectSnapshot] = [:]
        do {
            try graph.settingErrorsAside {
                try graph.withoutFaultingPolicy {
                    try work()
                    values = try changedValues(since: before)
                }
            }
            missed = GraphNotices()
            failure = nil
        } catch {
            failure = error
            throw error
        }
        tell(before, values)
    }

    /// The values of the rows that are new or have changed, if anybody wants them.
    private func changedValues(since before: ResultsSnapshot) throws -> [Int64: ObjectSnapshot] {
        if rowMailboxes.allSatisfy({ $0.mailbox == nil }) { return [:] }
        let changes = TreeChanges(from: before.list.rows, to: list.rows)
        return try values(of: (changes.added + changes.replaced).map(\.element))
    }

    private func tell(_ before: ResultsSnapshot, _ values: [Int64: ObjectSnapshot]) {
        let after = snapshot
        if after.totalCount == before.totalCount,
            TreeChanges(from: before.list.rows, to: after.list.rows).isEmpty
        {
            return
        }
        for box in mailboxes { box.mailbox?.post(after) }
        for box in rowMailboxes { box.mailbox?.post(after, values) }
        onChange?(after.difference(from: before))
    }

    func graphDidClose() {
        for box in mailboxes { box.mailbox?.close() }
        for box in rowMailboxes { box.mailbox?.close() }
        onChange = nil
    }
}
