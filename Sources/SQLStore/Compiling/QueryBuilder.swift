package import ContextCore

/// One SELECT while it is being written: its tables, and the conditions that link them.
final class QueryBuilder {
    private(set) var source: SelectStatement.Source?
    private(set) var joins: [SelectStatement.Join] = []
    private(set) var filter: [SQLExpression] = []
    private let aliases: AliasCounter

    init(_ aliases: AliasCounter) {
        self.aliases = aliases
    }

    /// Takes a table in; the first is the query's own, the others are joined to it.
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

    func require(_ condition: SQLExpression) {
        filter.append(condition)
    }

    /// The statement, once everything is said.
    func select(_ columns: [SQLExpression]) -> SelectStatement {
        var select = SelectStatement(columns, from: source ?? SelectStatement.Source("", as: ""))
        select.joins = joins
        select.filter = filter
        return select
    }
}

/// Gives out aliases: `t0`, `t1`, and so on through a whole statement.
final class AliasCounter {
    private var count = 0

    func next() -> String {
        defer { count += 1 }
        return "t\(count)"
    }
}

/// An object that a query can speak of: its key, and its row as soon as somebody needs it.
final class RowNode {
    let entity: EntityMapping
    /// The object's key.
    let key: SQLExpression
    /// Whether there may be no such object.
    let isOptional: Bool
    /// Whether the key may be that of an object which is no longer there.
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

    /// The object of a row that the query has already.
    convenience init(
        _ entity: EntityMapping, alias: String, _ query: QueryBuilder, _ mapping: StoreMapping
    ) {
        self.init(
            entity, key: .column(of: alias, StoreNames.key), alias: alias, isOptional: false, query, mapping)
    }

    /// The alias of the object's row, which is joined to the query when first asked for.
    func row() -> String {
        if let alias { return alias }
        let new = query.add(entity.table, isOuter: isOptional) {
            .comparison(.column(of: $0, StoreNames.key), .equal, self.key)
        }
        alias = new
        return new
    }

    /// The object's key, null where the object is not there.
    var presentKey: SQLExpression { mayDangle ? column(StoreNames.key) : key }

    /// A column of the object's row.
    func column(_ name: String) -> SQLExpression {
        .column(of: row(), name)
    }

    /// The object that a to-one relationship leads to.
    func hop(_ hop: ResolvedHop) -> RowNode {
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
    /// Whether a database sees to it that a reference leads somewhere.
    ///
    /// It doesn't where the inverse's delete rule leaves references as they are.
    func isChecked(_ relationship: RelationshipLayout) -> Bool { !mayDangle(relationship) }
}

extension StoreMapping {
    /// Whether the database sees to it that a reference leads somewhere.
    package func isChecked(_ relationship: RelationshipLayout) -> Bool { model.isChecked(relationship) }

    func isChecked(_ hop: ResolvedHop) -> Bool {
        model.layouts[hop.sourceIndex].properties[hop.slot].relationship.map(isChecked) ?? true
    }
}
