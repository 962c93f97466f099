/// A collection that a path leads to, and what is left of the path behind it.
struct CheckedCollection {
    let resolved: ResolvedCollection
    let destinationIndex: Int
    let tail: [String]
}

// Where paths lead.
extension PredicateChecker {
    private enum Destination {
        case value(ResolvedExpression)
        case collection(CheckedCollection)
    }

    /// What a path to one value leads to.
    func value(_ path: PropertyPath) throws -> ResolvedExpression {
        switch try destination(path) {
        case .value(let expression): return expression
        case .collection:
            throw Self.refusal(
                "“\(path)” leads to many objects: use ANY, ALL or NONE, or an aggregate such as @count.")
        }
    }

    /// Whether a path passes a to-many relationship.
    func isCollection(_ path: PropertyPath) throws -> Bool {
        if case .collection = try destination(path) { true } else { false }
    }

    /// The collection that a path leads to; the tail is what is left of the path behind its last to-many relationship.
    func collection(_ path: PropertyPath) throws -> CheckedCollection {
        switch try destination(path) {
        case .collection(let collection): return collection
        case .value: throw Self.refusal("“\(path)” leads to one object, not to many.")
        }
    }

    /// The object that a path leads to, reached by relationships all the way.
    func object(_ path: PropertyPath) throws -> ResolvedProperty {
        guard case .value(let expression) = try destination(path),
            case .property(let property) = expression.node,
            case .object(let entityIndex) = expression.type
        else { throw Self.refusal("“\(path)” is not an object.") }
        guard case .column(let column) = property.target else { return property }
        let layout = model.layouts[property.entityIndex]
        let hop = hop(layout.columns[column].slot, in: layout)
        return ResolvedProperty(
            scope: property.scope, hops: property.hops + (hop.map { [$0] } ?? []), entityIndex: entityIndex,
            target: .key)
    }

    private func destination(_ path: PropertyPath) throws -> Destination {
        let scope = try scope(of: path)
        var hops: [ResolvedHop] = []
        var entity = model.layouts[scopes[scope].entityIndex]
        var lastToMany: (count: Int, entityIndex: Int)?
        var index = 0
        while index < path.names.count {
            guard let property = entity.property(named: path.names[index]) else {
                throw unknown(path, index, entity)
            }
            index += 1
            guard let relationship = property.relationship else {
                if let lastToMany { return .collection(collection(scope, hops, lastToMany, path, entity)) }
                return .value(try attribute(property, scope, hops, path, index, entity))
            }
            if index == path.names.count, !relationship.description.isToMany, lastToMany == nil {
                return .value(reference(property, scope, hops, entity, relationship))
            }
            guard let hop = hop(property.slot, in: entity) else { break }
            hops.append(hop)
            entity = model.layouts[relationship.destinationIndex]
            if hop.isToMany { lastToMany = (hops.count, entity.index) }
        }
        if let lastToMany { return .collection(collection(scope, hops, lastToMany, path, entity)) }
        let itself = ResolvedProperty(scope: scope, hops: hops, entityIndex: entity.index, target: .key)
        return .value(
            ResolvedExpression(
                .property(itself), type: .object(entityIndex: entity.index),
                isNullable: hops.contains(where: \.isOptional)))
    }

    private func scope(of path: PropertyPath) throws -> Int {
        guard let variable = path.variable else { return 0 }
        guard let scope = scopes.lastIndex(where: { $0.variable == variable }) else {
            throw Self.refusal("The variable $\(variable) has no value; use substituting(_:) first.")
        }
        return scope
    }

    private func collection(
        _ scope: Int, _ hops: [ResolvedHop], _ last: (count: Int, entityIndex: Int), _ path: PropertyPath,
        _ entity: EntityLayout
    ) -> CheckedCollection {
        CheckedCollection(
            resolved: ResolvedCollection(scope: scope, steps: Array(hops.prefix(last.count))),
            destinationIndex: last.entityIndex, tail: Array(path.names.dropFirst(last.count)))
    }

    private func hop(_ slot: Int, in entity: EntityLayout) -> ResolvedHop? {
        guard let relationship = entity.properties[slot].relationship else { return nil }
        return ResolvedHop(
            sourceIndex: entity.index, slot: slot, destinationIndex: relationship.destinationIndex,
            column: entity.properties[slot].columns.first, isOptional: relationship.description.isOptional)
    }

    private func reference(
        _ property: PropertyLayout, _ scope: Int, _ hops: [ResolvedHop], _ entity: EntityLayout,
        _ relationship: RelationshipLayout
    ) -> ResolvedExpression {
        let column = property.columns.lowerBound
        return ResolvedExpression(
            .property(
                ResolvedProperty(scope: scope, hops: hops, entityIndex: entity.index, target: .column(column))
            ),
            type: .object(entityIndex: relationship.destinationIndex),
            isNullable: relationship.description.isOptional || hops.contains(where: \.isOptional))
    }

    private func attribute(
        _ property: PropertyLayout, _ scope: Int, _ hops: [ResolvedHop], _ path: PropertyPath, _ index: Int,
        _ entity: EntityLayout
    ) throws -> ResolvedExpression {
        if property.columns.isEmpty {
            throw Self.refusal("“\(path)” is transient, and only objects know such values.")
        }
        let name = ([property.name] + path.names[index...]).joined(separator: ".")
        guard let column = property.columns.first(where: { entity.columns[$0].name == name }) else {
            let parts = property.columns.map { entity.columns[$0].name }
            throw Self.refusal(
                parts.count > 1 || parts != [property.name]
                    ? "“\(path)” names no part of a composite; there are \(parts.joined(separator: ", "))."
                    : "“\(path)”: \(property.name) is an attribute, so nothing can follow it.",
                code: .unknownProperty)
        }
        let layout = entity.columns[column]
        guard case .attribute(let attributeType) = layout.kind, let type = ResolvedType(attributeType) else {
            throw Self.refusal("“\(path)” is kept as JSON, which can't be compared.")
        }
        return ResolvedExpression(
            .property(
                ResolvedProperty(scope: scope, hops: hops, entityIndex: entity.index, target: .column(column))
            ),
            type: type, isNullable: layout.isOptional || hops.contains(where: \.isOptional))
    }

    private func unknown(_ path: PropertyPath, _ index: Int, _ entity: EntityLayout) -> StoreError {
        let name = path.names[index]
        let meant = Spelling.nearest(to: name, among: entity.properties.map(\.name))
        return Self.refusal(
            "“\(path)”: \(entity.name) has no property “\(name)”"
                + (meant.map { "; did you mean “\($0)”?" } ?? "."),
            code: .unknownProperty)
    }
}

extension ResolvedType {
    /// The type that values of an attribute have in predicates; nil where they can't be compared.
    init?(_ type: AttributeType) {
        switch type {
        case .bool: self = .bool
        case .int16, .int32, .int64: self = .integer
        case .float, .double: self = .double
        case .decimal: self = .decimal
        case .string, .url: self = .string
        case .data: self = .data
        case .date: self = .date
        case .uuid: self = .uuid
        case .codable, .composite: return nil
        }
    }
}
