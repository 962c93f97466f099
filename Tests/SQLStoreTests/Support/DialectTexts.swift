import ContextCore

@testable import SQLStore

/// The output of every compiler in one dialect, as text.
struct DialectTexts {
    private let shop: ShopModel
    private let dialect: SQLDialect

    init(_ dialect: SQLDialect) throws {
        self.dialect = dialect
        shop = try ShopModel(maximumNameLength: dialect.maximumNameLength)
    }

    // MARK: Fetches

    /// Compiles a fetch of keys: the entity, a colon, the predicate.
    func fetch(_ request: String) throws -> String {
        let parts = request.split(separator: ": ", maxSplits: 1).map(String.init)
        return try shop.fetch(parts[0], parts[1], in: dialect).sql
    }

    // MARK: Other requests

    enum Request: String, CaseIterable {
        case page = "the third page, with two sort keys"
        case columns = "all columns of a tree"
        case groups = "groups with a condition"
        case distinct = "distinct values"
        case update = "an update by predicate"
    }

    func text(_ request: Request) throws -> String {
        switch request {
        case .page:
            let layout = try shop.entity("Order")
            let order = [SortKey("price", isDescending: true), SortKey(PropertyPath(["customer", "name"]))]
            let plan = FetchPlan(
                entityIndex: layout.index,
                order: try order.map { try $0.resolved(for: layout, in: shop.model) },
                limit: 20, offset: 40, columns: [])
            return try text(FetchCompiler(shop.mapping).compile(plan, ordersByKey: true).0)
        case .columns: return try shop.fetch("Person", columns: nil, in: dialect).sql
        case .groups: return try text(AggregateCompiler(shop.mapping).compile(groups()).0)
        case .distinct:
            let tag = try shop.entity("Tag")
            let name = try RequestChecker(tag, in: shop.model).expression(.path("name"))
            let plan = AggregatePlan(entityIndex: tag.index, columns: [name], isDistinct: true, limit: 3)
            return try text(AggregateCompiler(shop.mapping).compile(plan).0)
        case .update:
            let line = try shop.entity("Line")
            let predicate = try FetchPredicate("order.select = \"Go\"").resolved(for: line, in: shop.model)
            let plan = BatchPlan(entityIndex: line.index, predicate: predicate, operation: .delete)
            return try BatchCompiler(shop.mapping, dialect).update(plan, [0: .int(7)]).sql
        }
    }

    private func groups() throws -> AggregatePlan {
        let line = try shop.entity("Line")
        let order = try RequestChecker(line, in: shop.model).expression(.path("order"))
        let checker = RequestChecker(line, in: shop.model, groupedBy: [order])
        let count = FetchExpression.aggregate(FetchAggregate(.count, of: .itself))
        let sum = FetchExpression.aggregate(FetchAggregate(.sum, of: .itself, tail: ["weight"]))
        return AggregatePlan(
            entityIndex: line.index,
            columns: [order, try checker.expression(count), try checker.expression(sum)],
            groupBy: [order], having: try checker.predicate(.comparing(count, .greater, .literal(.int(1)))))
    }

    private func text(_ select: SelectStatement) throws -> String {
        SQLText(try SQLRenderer(dialect).fragment(select), dialect).sql
    }

    // MARK: Rows

    enum Row: String, CaseIterable {
        case insertion, upsert
        case upsertOfSubentity = "upsert of a subentity"
        case ignoringInsertion = "insertion that ignores duplicates"
        case update, deletion
        case versionedDeletion = "deletion at a version"
        case runDeletion = "deletion of a run"
        case search = "search for equal values"
        case link
        case unlink = "removal of a link"
        case place = "a position"
        case positionRemoval = "removal of a position"
    }

    func text(_ row: Row) throws -> String {
        let rows = RowStatements(dialect)
        let (clerk, order) = (try entity("Clerk"), try entity("Order"))
        switch row {
        case .insertion: return rows.insertion(into: clerk).sql
        case .upsert:
            return rows.upsert(into: order, rows: 1, try clause([1, 2], matching: ["select"], of: order)).sql
        case .upsertOfSubentity:
            return rows.upsert(into: clerk, rows: 2, try clause([0], matching: ["badge"], of: clerk)).sql
        case .ignoringInsertion:
            return rows.upsert(
                into: clerk, rows: 1, UpsertClause([], matching: nil, of: clerk, in: shop.mapping)
            ).sql
        case .update: return rows.update(of: order, columns: [1, 2]).sql
        case .deletion: return rows.deletion(from: order, checksVersion: false).sql
        case .versionedDeletion: return rows.deletion(from: order, checksVersion: true).sql
        case .runDeletion: return rows.deletionOfRun(from: order, checksVersion: true).sql
        case .search: return rows.search(in: clerk, columns: [0], entities: [1]).sql
        case .link: return rows.linkUpsert(of: try links()).sql
        case .unlink: return rows.removal(of: try links()).sql
        case .place: return rows.positioning("order_order", of: try children().table).sql
        case .positionRemoval: return rows.positionRemoval(of: try children(), position: "order_order").sql
        }
    }

    private func clause(
        _ columns: [Int], matching names: [String], of entity: EntityMapping
    ) throws -> UpsertClause {
        let constraint = entity.layout.uniqueConstraints.first { $0.names == names }
        return UpsertClause(columns, matching: constraint, of: entity, in: shop.mapping)
    }

    // MARK: Keys

    enum Key: String, CaseIterable {
        case row = "a row"
        case rows
        case count = "a count"
        case children = "the rows of many owners"
        case members = "the keys of many owners' rows"
        case links = "the links of many owners"
        case lastPositions = "the last positions of many owners"
        case referring = "rows that refer to them"
    }

    func text(_ key: Key) throws -> String {
        let keys = KeyStatements(shop.mapping, dialect)
        let clerk = try shop.entity("Clerk").index
        let line = SelectedColumns(shop.mapping, entityIndex: try shop.entity("Line").index)
        switch key {
        case .row: return keys.row(SelectedColumns(shop.mapping, entityIndex: clerk), of: clerk).sql
        case .rows: return keys.rows(SelectedColumns(shop.mapping, entityIndex: clerk), of: clerk).sql
        case .count: return keys.count(of: clerk).sql
        case .children: return keys.rows(try children(), line).sql
        case .members: return keys.links(try children()).sql
        case .links: return keys.links(try links()).sql
        case .lastPositions: return keys.lastPositions(try children(), "order_order").sql
        case .referring: return keys.referring(1, of: try shop.entity("Line").index).sql
        }
    }

    // MARK: Schema

    /// Returns all statements that create the tables of the model, in order.
    func schema() throws -> [String] {
        try SchemaBuilder(shop.mapping, maximumNameLength: dialect.maximumNameLength).tables()
            .flatMap { SchemaStatements(dialect).creation(of: $0).map(\.sql) }
    }

    // MARK: Names in the model

    private struct KeptElsewhere: Error {}

    private func entity(_ name: String) throws -> EntityMapping {
        shop.mapping.entities[try shop.entity(name).index]
    }

    private func collection(_ name: String) throws -> CollectionMapping? {
        let order = try entity("Order")
        return order.layout.properties.first { $0.name == name }.flatMap { order.collections[$0.slot] }
    }

    private func links() throws -> CollectionMapping.Links {
        guard case .links(let links)? = try collection("tags") else { throw KeptElsewhere() }
        return links
    }

    private func children() throws -> CollectionMapping.Children {
        guard case .children(let children)? = try collection("lines") else { throw KeptElsewhere() }
        return children
    }
}
