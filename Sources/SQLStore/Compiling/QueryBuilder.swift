package import ContextCore

/// A SELECT under construction: its tables and the conditions that join them.
final class QueryBuilder {
    private(set) var source: SelectStatement.Source?
    private(set) var joins: [SelectStatement.Join] = []
    private(set) var filter: [SQLExpression] = []
    private let aliases: AliasCounter

    init(_ aliases: AliasCounter) {
        self.aliases = aliases
    }

    /// Adds a table and returns its alias; the first is the FROM table, the others are joined to it.
    func add(_ table: String, isOuter: Bool = false, on condition: (String) -> SQLExpression?) -> String {
        let source = SelectStatement.Source(table, as: aliases.next())
        let condition = condition(source.alias)
        if self.source == nil {
            self.source = source
            if let condition { filter.append(condition) }
        } else {
            joins.append(SelectStatement.Join(source, isOuter: isOuter, on: condition ?? .truth(true)))
        }
        return source.alias
    }

    func addCondition(_ condition: SQLExpression) {
        filter.append(condition)
    }

    /// Returns the finished statement.
    func select(_ columns: [SQLExpression]) -> SelectStatement {
        var select = SelectStatement(columns, from: source ?? SelectStatement.Source("", as: ""))
        select.joins = joins
        select.filter = filter
        return select
    }
}

/// Generates aliases, `t0`, `t1` and so on, that are unique in a whole statement.
final class AliasCounter {
    private var count = 0

    func next() -> String {
        defer { count += 1 }
        return "t\(count)"
    }
}

/// An object that a query refers to: its key, and its row, which is joined on first access.
final class RowNode {
    let entity: EntityMapping
    /// The object's key.
    let key: SQLExpression
    /// Whether the object may be missing.
    let isOptional: Bool
    /// Whether the key may be that of a deleted object.
    private let mayDangle: Bool
    private let mapping: StoreMapping
    private let query: QueryBuilder
    private var alias: String?
    private var hops: [Int: RowNode] = [:]

    init(
        _ entity: EntityMapping, key: SQLExpression, alias: String?, isOptional: Bool,
        mayDangle: Bool = false,
        _ query: QueryBuilder, _ mapping: StoreMapping
    ) {
        self.entity = entity
        self.key = key
        self.alias = alias
        self.isOptional = isOptional
        self.mayDangle = mayDangle
        self.query = query
        self.mapping = mapping
    }

    /// Creates a node for a row that the query already selects from.
    convenience init(
        _ entity: EntityMapping, alias: String, _ query: QueryBuilder, _ mapping: StoreMapping
    ) {
        self.init(
            entity, key: .column(of: alias, StoreNames.key), alias: alias, isOptional: false, query, mapping)
    }

    /// Returns the alias of the object's row and joins the row on first use.
    func row() -> String {
        if let alias { return alias }
        let new = query.add(entity.table, isOuter: isOptional) {
            .comparison(.column(of: $0, StoreNames.key), .equal, self.key)
        }
        alias = new
        return new
    }

    /// The object's key, or null if the object doesn't exist.
    var presentKey: SQLExpression { mayDangle ? column(StoreNames.key) : key }

    /// Returns a column of the object's row.
    func column(_ name: String) -> SQLExpression {
        .column(of: row(), name)
    }

    /// Returns the object that a to-one relationship refers to.
    func hop(_ hop: RelationshipStep) -> RowNode {
        if let known = hops[hop.slot] { return known }
        let reference = mapping.entities[hop.sourceIndex].columns[hop.column ?? 0].name
        let node = RowNode(
            mapping.entities[hop.destinationIndex], key: column(reference), alias: nil,
            isOptional: isOptional || hop.isOptional || !mapping.isChecked(hop),
            mayDangle: !mapping.isChecked(hop), query, mapping)
        hops[hop.slot] = node
        return node
    }
}

extension ObjectModel {
    /// Whether the database enforces that a reference refers to an existing row.
    ///
    /// It doesn't where the inverse's delete rule is no action.
    func isChecked(_ relationship: RelationshipLayout) -> Bool { !mayDangle(relationship) }
}

extension StoreMapping {
    /// Whether the database enforces that a reference refers to an existing row.
    package func isChecked(_ relationship: RelationshipLayout) -> Bool { model.isChecked(relationship) }

    func isChecked(_ hop: RelationshipStep) -> Bool {
        model.layouts[hop.sourceIndex].properties[hop.slot].relationship.map(isChecked) ?? true
    }
}
