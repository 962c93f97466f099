/// A property path resolved against a model.
struct CheckedPath {
    /// The target of a path's last name.
    enum End {
        /// The object at the end of the relationships.
        case object
        /// A column of that object.
        case column(Int)
    }

    /// The index of the scope whose object the path starts at.
    let scope: Int
    /// The relationships that the path follows.
    var steps: [RelationshipStep] = []
    /// The entity of the object at the end of the relationships.
    var entity: EntityLayout
    var end = End.object

    /// The number of relationships up to and including the last to-many one; nil if the path has none.
    var collectionLength: Int? { steps.lastIndex(where: \.isToMany).map { $0 + 1 } }

    /// Whether an optional relationship or attribute can make the path's value nil.
    var isNullable: Bool {
        if steps.contains(where: \.isOptional) { return true }
        guard case .column(let column) = end else { return false }
        return entity.columns[column].isOptional
    }
}

extension RequestChecker {
    /// Resolves a path's names in the model.
    func resolvePath(_ path: PropertyPath) throws -> CheckedPath {
        let scope = try scopeIndex(of: path)
        var checked = CheckedPath(scope: scope, entity: scopes[scope].entity)
        var index = 0
        while index < path.names.count {
            guard case .object = checked.end else {
                let name = path.names[index - 1]
                throw failure(
                    .path(path), "“\(name)” is an attribute, so it has no property “\(path.names[index])”.",
                    code: .unknownProperty)
            }
            let property = try property(path.names[index], of: checked.entity, in: path)
            index += 1
            if let relationship = property.relationship {
                add(property, relationship, to: &checked)
            } else if let attribute = property.attribute {
                let part = index < path.names.count ? path.names[index] : nil
                let (column, length) = try column(
                    of: property, attribute, in: checked.entity, part: part, path: path)
                checked.end = .column(column)
                index += length - 1
            }
        }
        return checked
    }

    private func scopeIndex(of path: PropertyPath) throws -> Int {
        guard let variable = path.variable else { return 0 }
        if let index = scopes.lastIndex(where: { $0.variable == variable }) { return index }
        throw failure(
            .path(path), "the variable $\(variable) has no value.",
            remedy: "Set its value with substituting(_:).")
    }

    private func property(
        _ name: String, of entity: EntityLayout, in path: PropertyPath
    ) throws -> PropertyLayout {
        if let property = entity.property(named: name) { return property }
        let subentity = entity.familyIndices.map { model.layouts[$0] }
            .first { $0.property(named: name) != nil }
        let remedy =
            subentity.map { "Its subentity \($0.name) has a property of that name. Fetch \($0.name)." }
            ?? suggestion(for: name, among: entity.properties.map(\.name))
        throw failure(
            .path(path), "\(entity.name) has no property “\(name)”.", code: .unknownProperty, remedy: remedy)
    }

    private func add(
        _ property: PropertyLayout, _ relationship: RelationshipLayout, to path: inout CheckedPath
    ) {
        let isToMany = relationship.description.isToMany
        path.steps.append(
            RelationshipStep(
                sourceIndex: path.entity.index, slot: property.slot,
                destinationIndex: relationship.destinationIndex,
                column: isToMany ? nil : property.columns.lowerBound,
                isOptional: isToMany ? false : relationship.description.isOptional))
        path.entity = model.layouts[relationship.destinationIndex]
    }

    /// Returns the column of an attribute or of a composite's part, and the number of names that the path uses for it.
    private func column(
        of property: PropertyLayout, _ attribute: AttributeDescription, in entity: EntityLayout,
        part: String?, path: PropertyPath
    ) throws -> (column: Int, length: Int) {
        if case .transient = attribute.storage {
            throw failure(
                .path(path), "“\(property.name)” is transient, so the store doesn't contain its values.",
                remedy: "Filter the fetched objects instead, or store the attribute.")
        }
        guard case .composite(let parts) = attribute.type else { return (property.columns.lowerBound, 1) }
        let columns = entity.columns
        guard let part,
            let column = property.columns.first(where: { columns[$0].name == "\(property.name).\(part)" })
        else {
            let names = parts.map { "\(property.name).\($0.name)" }.joined(separator: ", ")
            throw failure(
                .path(path), "“\(property.name)” is a composite. Only its parts can be compared.",
                code: part == nil ? .unsupportedRequest : .unknownProperty, remedy: "Its parts are \(names).")
        }
        return (column, 2)
    }
}
