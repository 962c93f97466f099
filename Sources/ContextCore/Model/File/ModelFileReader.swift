/// Reads the entities of a model file and records the positions of entities and properties.
struct ModelFileReader {
    let problems = JSONProblems()
    private var positions: [String: JSONPosition] = [:]

    /// Returns the position of a problem: at the use in an index or constraint, at the property, or at the entity.
    func position(of problem: ModelProblem) -> JSONPosition {
        let entity = problem.entity ?? ""
        let property = problem.property ?? ""
        let whole = property.prefix { $0 != "." }
        let isUse = problem.code == .invalidIndex || problem.code == .invalidConstraint
        let names = (isUse ? ["\(entity).\(property) used"] : []) + ["\(entity).\(whole)", entity, ""]
        return names.lazy.compactMap { positions[$0] }.first ?? JSONPosition(line: 1, column: 1)
    }

    mutating func entities(of root: JSONNode) -> [EntityDescription] {
        positions[""] = root.position
        guard var reader = JSONObjectReader(root, as: "a model file", problems), checkFormat(&reader) else {
            return []
        }
        reader.requireMember("entities")
        let entities = reader.object("entities").compactMap { entity($0) }
        reader.reportUnknownMembers()
        return entities
    }

    /// Checks the format of the file; the rest of a file with an unknown format isn't read.
    private func checkFormat(_ reader: inout JSONObjectReader) -> Bool {
        reader.requireMember("format")
        guard let format = reader.int("format"), format != ModelFileNames.format,
            let position = reader.member("format")?.value.position
        else { return true }
        problems.report(
            format > ModelFileNames.format
                ? "The file has the format \(format), but this version of the library reads formats up to \(ModelFileNames.format): "
                    + "use a newer version."
                : "There is no format \(format): the oldest format is \(ModelFileNames.format).",
            at: position)
        return false
    }

    private mutating func entity(_ member: JSONMember) -> EntityDescription? {
        positions[member.name] = member.position
        guard var reader = JSONObjectReader(member.value, as: "an entity", problems) else { return nil }
        var entity = EntityDescription(member.name)
        entity.superentityName = reader.string("superentity")
        entity.isAbstract = reader.flag("abstract")
        entity.renamingIdentifier = reader.string("renamedFrom")
        entity.versionHashModifier = reader.string("hashModifier")
        for member in reader.object("attributes") {
            recordPosition(of: member, in: entity.name)
            guard let reader = AttributeReader(member, "an attribute", problems) else { continue }
            if let attribute = reader.attribute() { entity.attributes.append(attribute) }
        }
        for member in reader.object("relationships") {
            recordPosition(of: member, in: entity.name)
            if let relationship = relationship(member) { entity.relationships.append(relationship) }
        }
        entity.indexes = reader.array("indexes").compactMap { index($0, of: entity.name) }
        entity.uniqueConstraints = reader.array("unique").compactMap { constraint($0, of: entity.name) }
        reader.reportUnknownMembers()
        return entity
    }

    private mutating func recordPosition(of member: JSONMember, in entity: String) {
        positions["\(entity).\(member.name)"] = member.position
    }

    private func relationship(_ member: JSONMember) -> RelationshipDescription? {
        guard var reader = JSONObjectReader(member.value, as: "a relationship", problems) else { return nil }
        reader.requireMember("to")
        let isToMany = reader.flag("toMany")
        if isToMany, let optional = reader.member("optional") {
            problems.report(
                "A to-many relationship can't be “optional”: remove it, or set a “minimumCount”.",
                at: optional.position)
        }
        let isOptional = reader.flag("optional")
        let relationship = RelationshipDescription(
            member.name, to: reader.string("to") ?? "", inverse: reader.string("inverse"), isToMany: isToMany,
            isOrdered: reader.flag("ordered"), isOptional: isOptional || isToMany,
            deleteRule: reader.choice("deleteRule", Self.deleteRules) ?? .nullify,
            minimumCount: reader.int("minimumCount"), maximumCount: reader.int("maximumCount"),
            renamingIdentifier: reader.string("renamedFrom"),
            versionHashModifier: reader.string("hashModifier"))
        reader.reportUnknownMembers()
        return relationship
    }

    private static let deleteRules = Dictionary(
        uniqueKeysWithValues: DeleteRule.allCases.map { ($0.rawValue, $0) })

    private mutating func index(_ node: JSONNode, of entity: String) -> IndexDescription? {
        guard var reader = JSONObjectReader(node, as: "an index", problems) else { return nil }
        reader.requireMember("properties")
        let elements = names(reader.array("properties"), of: entity, mayDescend: true)
        let predicate = reader.string("where")
        reader.reportUnknownMembers()
        return IndexDescription(
            elements.map { .init($0.name, isDescending: $0.isDescending) }, where: predicate)
    }

    private mutating func constraint(_ node: JSONNode, of entity: String) -> UniqueConstraint? {
        guard case .array(let nodes) = node.content else {
            problems.report(
                "Expected an array of property names for a unique constraint, found \(node.kindName).",
                at: node.position)
            return nil
        }
        return UniqueConstraint(names(nodes, of: entity, mayDescend: false).map(\.name))
    }

    private mutating func names(
        _ nodes: [JSONNode], of entity: String, mayDescend: Bool
    ) -> [(name: String, isDescending: Bool)] {
        nodes.compactMap { node in
            guard case .string(let text) = node.content else {
                problems.report(
                    "Expected a property's name as a string, found \(node.kindName).", at: node.position)
                return nil
            }
            let isDescending = mayDescend && text.hasPrefix("-")
            let name = isDescending ? String(text.dropFirst()) : text
            positions["\(entity).\(name) used"] = node.position
            return (name, isDescending)
        }
    }
}
