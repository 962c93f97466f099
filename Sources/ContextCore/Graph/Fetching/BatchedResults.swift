/// A random-access collection of the objects of a request, which it fetches one page at a time.
///
/// All identifiers are fetched at the start, so `count` costs nothing and the selection doesn't change. Rows are fetched page by page on
/// access; the collection itself keeps the objects of the last two pages only.
public struct BatchedResults<Object: ManagedObject>: RandomAccessCollection {
    private let graph: ObjectGraph
    private let keys: RowBatch
    private let request: FetchRequest<Object>
    private let entity: EntityLayout
    private let site: CallSite
    /// New objects by position, since a save changes their keys.
    private let new: [Int: ManagedObject]
    private let pages: Pages<Object>

    init(
        _ keys: RowBatch, _ request: FetchRequest<Object>, of entity: EntityLayout, graph: ObjectGraph,
        site: CallSite
    ) {
        self.entity = entity
        self.graph = graph
        self.keys = keys
        self.request = request
        self.site = site
        var new: [Int: ManagedObject] = [:]
        for row in 0..<keys.count where keys.key(at: row) < 0 {
            let rootIndex = graph.model.layouts[keys.entityIndex(at: row)].rootIndex
            new[row] = graph.identities.object(keys.key(at: row), rootIndex: rootIndex)
        }
        self.new = new
        pages = Pages(size: Swift.max(1, request.batchSize ?? 100))
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { keys.count }

    /// The object at a position, whose page is fetched on first access.
    ///
    /// If the page can't be fetched, the object is a fault, and the context's next fetch or save throws the error.
    public subscript(position: Int) -> Object {
        let page = position / pages.size
        let objects = pages.objects(of: page) ?? load(page)
        return objects[position % pages.size]
    }

    private func load(_ page: Int) -> [Object] {
        let range = page * pages.size..<Swift.min((page + 1) * pages.size, keys.count)
        do {
            try fetchRows(range)
        } catch {
            graph.deferError(error)
        }
        let objects = range.map { row in
            let entity = graph.model.layouts[keys.entityIndex(at: row)]
            let object = new[row] ?? graph.fault(keys.key(at: row), entity)
            return graph.typed(object, as: Object.self)
        }
        pages.store(objects, page: page)
        return objects
    }

    /// Fetches the rows of a page that are not loaded.
    private func fetchRows(_ range: Range<Int>) throws {
        let isWhole = request.refreshesObjects || !request.prefetching.isEmpty
        let wanted = range.filter { new[$0] == nil }.map(keys.key(at:)).filter {
            isWhole || graph.identities.object($0, rootIndex: entity.rootIndex)?.isFault != false
        }
        if wanted.isEmpty { return }
        let group = try graph.parent.withSnapshot {
            let group = RowGroup(
                try graph.parent.rows(wanted, entityIndex: entity.rootIndex), site: site)
            try Prefetching(graph: graph).prefetch(request.prefetching, from: group, entity: entity)
            return group
        }
        if request.refreshesObjects { try Refreshing(graph: graph).refresh(from: group) }
        pages.rows = graph.objects(group)
    }
}

/// The objects of the most recently accessed pages.
private final class Pages<Object: ManagedObject> {
    let size: Int
    /// Keeps the fetched objects alive until their page is stored.
    var rows: [ManagedObject] = []
    private var recent: [(page: Int, objects: [Object])] = []

    init(size: Int) { self.size = size }

    func objects(of page: Int) -> [Object]? {
        recent.first { $0.page == page }?.objects
    }

    func store(_ objects: [Object], page: Int) {
        recent.insert((page, objects), at: 0)
        if recent.count > 2 { recent.removeLast() }
        rows = []
    }
}
