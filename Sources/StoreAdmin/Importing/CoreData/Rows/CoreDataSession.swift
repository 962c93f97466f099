import ContextCore
import Foundation

/// A session over a Core Data store.
///
/// Keys are those of Core Data, which are unique in an inheritance tree like those of this library.
final class CoreDataSession: ImportSession {
    static let sourceName = "A store of Core Data"

    let model: ObjectModel
    let token: StoreToken
    private let mapping: CoreDataMapping
    private let reader: any ForeignRowReader
    private let values: CoreDataValues

    init(
        _ model: ObjectModel, _ mapping: CoreDataMapping, _ reader: any ForeignRowReader,
        _ values: CoreDataValues,
        storeID: UUID
    ) {
        self.model = model
        self.mapping = mapping
        self.reader = reader
        self.values = values
        token = StoreToken(storeID: storeID, sequence: 0)
    }

    // MARK: Keys

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        let page = try keyPage(plan, model)
        var builder = RowBatchBuilder(model: model, loadedColumns: [])
        for entity in entities(plan.entityIndex, plan.includesSubentities) {
            guard let place = mapping.entities[entity.index] else { continue }
            let query = """
                SELECT s.Z_PK FROM \(CoreDataQueries.quoted(place.table)) AS s \
                WHERE s.Z_ENT = ?1 AND s.Z_PK >= ?2 AND \(CoreDataQueries.hasKey("s")) ORDER BY s.Z_PK \(page.order) LIMIT ?3
                """
            for row in try reader.rows(query, .int(place.number), .int(page.first), .int(Int64(page.limit))) {
                guard let key = row[0].integer else { continue }
                builder.beginRow(key: key, version: RowBatch.firstVersion, entityIndex: entity.index)
            }
        }
        return try Self.limited(builder.finish(), page, model)
    }

    /// Returns the first rows of a batch by their keys, for a plan whose entity has subentities.
    private static func limited(
        _ batch: RowBatch, _ page: KeyPage, _ model: ObjectModel
    ) throws -> RowBatch {
        let order = (0..<batch.count).sorted {
            page.isDescending ? batch.key(at: $0) > batch.key(at: $1) : batch.key(at: $0) < batch.key(at: $1)
        }
        var builder = RowBatchBuilder(model: model, loadedColumns: [])
        for row in order.prefix(page.limit) {
            builder.beginRow(
                key: batch.key(at: row), version: batch.version(at: row),
                entityIndex: batch.entityIndex(at: row))
        }
        return try builder.finish()
    }

    private func entities(_ index: Int, _ includesSubentities: Bool) -> [EntityLayout] {
        includesSubentities
            ? model.layouts[index].familyIndices.map { model.layouts[$0] } : [model.layouts[index]]
    }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try checkCounts(plan)
        var count: Int64 = 0
        for entity in entities(plan.entityIndex, plan.includesSubentities) {
            guard let place = mapping.entities[entity.index] else { continue }
            let query = """
                SELECT count(*) FROM \(CoreDataQueries.quoted(place.table)) AS s \
                WHERE s.Z_ENT = ?1 AND \(CoreDataQueries.hasKey("s"))
                """
            count += try reader.rows(query, .int(place.number)).first?.first?.integer ?? 0
        }
        return [[.int(count)]]
    }

    // MARK: Rows

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        var builder = RowBatchBuilder(model: model)
        let list = "[\(keys.listText)]"
        for entity in entities(entityIndex, true) {
            guard let place = mapping.entities[entity.index] else { continue }
            let query = """
                SELECT \((["s.Z_PK"] + place.columns.map(\.expression)).joined(separator: ", ")) \
                FROM \(CoreDataQueries.quoted(place.table)) AS s \
                WHERE +s.Z_ENT = ?1 AND \(CoreDataQueries.hasKey("s")) AND s.Z_PK IN (SELECT value FROM json_each(?2))
                """
            for row in try reader.rows(query, .int(place.number), .string(list)) {
                builder.beginRow(
                    key: row[0].integer ?? 0, version: RowBatch.firstVersion, entityIndex: entity.index)
                for (index, column) in place.columns.enumerated() {
                    let value = column.value(row[index + 1], values)
                    if !value.isNull { builder.set(column.column, to: value) }
                }
            }
        }
        return try builder.finish()
    }

    // MARK: Links

    func related(_ plan: RelatedPlan) throws -> RelatedRows {
        guard !plan.includesRows else { throw Self.unsupportedError }
        guard let query = mapping.links[CoreDataMapping.Slot(entityIndex: plan.entityIndex, slot: plan.slot)]
        else {
            return RelatedRows(links: [], rows: nil)
        }
        let list = "[\(plan.owners.listText)]"
        var links: [Int64: [RelatedRows.Link]] = [:]
        try reader.forEachRow(of: query.text, [.string(list)]) { row in
            guard let owner = row[0].integer, let target = row[1].integer else { return }
            // Core Data leaves gaps between positions.
            let position = query.isOrdered ? Int64(links[owner]?.count ?? 0) : 0
            links[owner, default: []].append(.init(owner: owner, target: target, position: position))
        }
        return RelatedRows(links: plan.owners.flatMap { links[$0] ?? [] }, rows: nil)
    }
}
