import ContextCore

@testable import SQLStore

/// The model of these tests: a small tree, an ordered relationship, links, and names that are SQL keywords.
struct ShopModel {
    let model: ObjectModel
    let mapping: StoreMapping

    init(maximumNameLength: Int? = nil) throws {
        model = try ObjectModel(entities: [
            EntityDescription(
                "Order",
                attributes: [
                    AttributeDescription("select", .string), AttributeDescription("placedAt", .date),
                    AttributeDescription("price", .decimal(precision: 9, scale: 2), isOptional: true),
                ],
                relationships: [
                    RelationshipDescription(
                        "lines", to: "Line", inverse: "order", isToMany: true, isOrdered: true,
                        deleteRule: .cascade),
                    RelationshipDescription("customer", to: "Person", inverse: "orders"),
                    RelationshipDescription("tags", to: "Tag", inverse: "orders", isToMany: true),
                ],
                indexes: [
                    IndexDescription([.descending("placedAt")]),
                    IndexDescription(["select"], where: "placedAt > date(\"1970-01-01T00:00:00.000007Z\")"),
                    IndexDescription(["select"], where: "select = \"unwritable\""),
                    IndexDescription(["price"], where: "price > 1.005"),
                ],
                uniqueConstraints: [UniqueConstraint(["select"])]),
            EntityDescription(
                "Line",
                attributes: [
                    AttributeDescription("count", .int64),
                    AttributeDescription("weight", .double, isOptional: true),
                ],
                relationships: [RelationshipDescription("order", to: "Order", inverse: "lines")]),
            EntityDescription(
                "Person", attributes: [AttributeDescription("name", .string)],
                relationships: [
                    RelationshipDescription("orders", to: "Order", inverse: "customer", isToMany: true)
                ]),
            EntityDescription(
                "Clerk", superentity: "Person",
                attributes: [AttributeDescription("badge", .uuid, isOptional: true)],
                indexes: [
                    IndexDescription(["badge"], where: "badge != NIL OR name IN {\"Ann's\", \"`\"}")
                ],
                uniqueConstraints: [UniqueConstraint(["badge"])]),
            EntityDescription(
                "Tag", attributes: [AttributeDescription("name", .string)],
                relationships: [
                    RelationshipDescription("orders", to: "Order", inverse: "tags", isToMany: true)
                ]),
        ])
        mapping = StoreMapping(model, maximumNameLength: maximumNameLength)
    }

    func entity(_ name: String) throws -> EntityLayout {
        guard let layout = model.layout(named: name) else { throw NoSuchEntity(name: name) }
        return layout
    }

    struct NoSuchEntity: Error {
        let name: String
    }

    /// Creates a fetch from text: predicate and order.
    func fetch(
        _ name: String, _ predicate: String? = nil, order: [SortKey] = [], limit: Int? = nil,
        columns: Set<Int>? = [], in dialect: SQLDialect
    ) throws -> SQLText {
        let entity = try entity(name)
        let plan = FetchPlan(
            entityIndex: entity.index,
            predicate: try predicate.map { try FetchPredicate($0).resolved(for: entity, in: model) },
            order: try order.map { try $0.resolved(for: entity, in: model) }, limit: limit, columns: columns)
        let (select, _) = try FetchCompiler(mapping).compile(plan, ordersByKey: true)
        return SQLText(try SQLRenderer(dialect).fragment(select), dialect)
    }
}
