import ContextCore
import Foundation

/// A session over another program's tables, for which rejected rows don't exist.
final class DatabaseSession: ImportSession {
    static let sourceName = "Another program's database"

    let model: ObjectModel
    let token = StoreToken(storeID: UUID(), sequence: 0)
    private let mapping: DatabaseMapping
    private let reader: any ForeignTableReader
    private let values: DatabaseValues
    private let rejects: RejectedKeys

    init(
        _ model: ObjectModel, _ mapping: DatabaseMapping, _ reader: any ForeignTableReader,
        _ values: DatabaseValues, _ rejects: RejectedKeys
    ) {
        self.model = model
        self.mapping = mapping
        self.reader = reader
        self.values = values
        self.rejects = rejects
    }

    private func tables(_ index: Int, _ includesSubentities: Bool) -> [DatabaseTable] {
        (includesSubentities ? model.layouts[index].familyIndices : [index]).compactMap { mapping.tables[$0] }
    }

    private func parameter(_ number: Int) -> String { "\(reader.spelling.parameterPrefix)\(number)" }

    // MARK: Keys

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        let page = try keyPage(plan, model)
        var builder = RowBatchBuilder(model: model, loadedColumns: [])
        // At most one entity of a tree has a table.
        for table in tables(plan.entityIndex, plan.includesSubentities) {
            let index = table.layout.index
            // The rejected rows are skipped, so they must not count.
            let rejected = rejects.count(of: index)
            let (rows, key) = table.keys.keysOnly
            let query = """
                SELECT \(key) FROM \(rows) WHERE \(key) >= \(parameter(1)) \
                ORDER BY \(key) \(page.order) LIMIT \(parameter(2))
                """
            var count = 0
            for row in try reader.rows(query, .int(page.first), .int(Int64(page.limit + rejected))) {
                guard let key = row[0].integer, count < page.limit, !rejects.contains(key, of: index) else {
                    continue
                }
                builder.beginRow(key: key, version: RowBatch.firstVersion, entityIndex: index)
                count += 1
            }
        }
        return try builder.finish()
    }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try checkCounts(plan)
        var count = 0
        for table in tables(plan.entityIndex, plan.includesSubentities) {
            let query = "SELECT count(*) FROM \(reader.spelling.table(table.structure))"
            count += Int(try reader.rows(query).first?.first?.integer ?? 0)
            count -= rejects.count(of: table.layout.index)
        }
        return [[.int(Int64(count))]]
    }

    // MARK: Rows

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        var builder = RowBatchBuilder(model: model)
        for table in tables(entityIndex, true) {
            let index = table.layout.index
            let query = table.rowsQuery + " WHERE " + reader.spelling.isListed(table.keys.key("s"))
            try reader.forEachRow(of: query, [.string(keys.listText)]) { row in
                guard let key = row[0].integer, !rejects.contains(key, of: index) else { return }
                builder.beginRow(key: key, version: RowBatch.firstVersion, entityIndex: index)
                setColumns(of: row, table, in: &builder)
            }
        }
        return try builder.finish()
    }

    /// Sets the columns of an object; a value that can't be taken over stays null.
    private func setColumns(
        of row: [StoredValue], _ table: DatabaseTable, in builder: inout RowBatchBuilder
    ) {
        for (column, value) in table.defaults { builder.set(column, to: value) }
        for attribute in table.attributes {
            let value = try? values.value(row[1 + attribute.source], of: attribute.type)
            guard let value, attribute.validation.failures(of: value).isEmpty else { continue }
            builder.set(attribute.column, to: value)
        }
        for (reference, key) in zip(table.references, table.references(in: row)) {
            builder.set(reference.column, to: key)
        }
        for (inverse, key) in zip(table.inverses, table.inverses(in: row)) {
            guard let number = key.integer, !rejects.contains(number, of: inverse.sourceIndex) else {
                continue
            }
            builder.set(inverse.column, to: key)
        }
    }

    // MARK: Links

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        guard !plan.includesRows else { throw Self.unsupportedError }
        var found: [RelatedRows.Link] = []
        for links in mapping.links {
            let ends = [links.first, links.second]
            for owner in 0...1
            where ends[owner].table.layout.index == plan.entityIndex && ends[owner].slot == plan.slot {
                let target = ends[1 - owner].table.layout.index
                try reader.forEachRow(
                    of: links.pairsQuery(from: owner), [.string(plan.owners.listText)]
                ) { row in
                    guard let own = row[0].integer, let other = row[1].integer,
                        !rejects.contains(own, of: plan.entityIndex), !rejects.contains(other, of: target)
                    else { return }
                    found.append(.init(owner: own, target: other, position: 0))
                }
            }
        }
        let byOwner = Dictionary(grouping: found, by: \.owner)
        return RelatedRows(links: plan.owners.flatMap { byOwner[$0] ?? [] }, rows: nil)
    }
}

/// The keys of the objects that are left out because their rows can't be imported, by the index of their entity.
struct RejectedKeys: Sendable {
    private(set) var keys: [Int: Set<Int64>] = [:]

    /// Adds a key; false if it is rejected already.
    mutating func add(_ key: Int64, of entityIndex: Int) -> Bool {
        keys[entityIndex, default: []].insert(key).inserted
    }

    func contains(_ key: Int64, of entityIndex: Int) -> Bool { keys[entityIndex]?.contains(key) == true }

    func count(of entityIndex: Int) -> Int { keys[entityIndex]?.count ?? 0 }
}

extension Sequence<Int64> {
    /// The numbers with commas between them, as a parameter of a query.
    var listText: String { map(String.init).joined(separator: ",") }
}
