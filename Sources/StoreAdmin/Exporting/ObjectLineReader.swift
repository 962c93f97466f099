import ContextCore

/// Reads the line of an object in an export; unknown names and invalid values are errors with their line and column.
struct ObjectLineReader {
    private let model: ObjectModel
    private let place: String
    private(set) var entityIndex = 0
    private(set) var key: Int64 = 0
    private(set) var version = RowBatch.firstVersion
    private(set) var values: [Int: StoredValue] = [:]
    private(set) var links: [Int: [Int64]] = [:]

    init(model: ObjectModel, place: String) {
        self.model = model
        self.place = place
    }

    mutating func read(_ root: JSONNode) throws {
        let problems = JSONProblems()
        guard var reader = JSONObjectReader(root, as: "an object", problems) else { throw failure(problems) }
        reader.require("entity")
        reader.require("id")
        let name = reader.string("entity") ?? ""
        let id = reader.int("id") ?? 0
        version = Int64(reader.int("version") ?? Int(RowBatch.firstVersion))
        let written = reader.object("values")
        let targets = reader.object("to")
        reader.reportUnknownMembers()
        if !problems.list.isEmpty { throw failure(problems) }
        let layout = try model.entity(name)
        if layout.isAbstract { throw wrong("\(name) is abstract", root) }
        if id <= 0 { throw wrong("an id must be greater than 0", root) }
        (entityIndex, key) = (layout.index, Int64(id))
        for member in written { try readValue(member, layout) }
        for member in targets { try readTarget(member, layout) }
        try check(layout, root)
    }

    private mutating func readValue(_ member: JSONMember, _ layout: EntityLayout) throws {
        guard let property = layout.property(named: member.name), let attribute = property.attribute,
            !property.columns.isEmpty
        else { throw unknown(member, layout) }
        guard case .composite(let parts) = attribute.type else {
            values[property.columns.lowerBound] = try value(member.value, attribute, layout)
            return
        }
        guard case .object(let members) = member.value.content else {
            throw wrong("\(layout.name).\(member.name) must be an object", member.value)
        }
        for part in members {
            guard let index = parts.firstIndex(where: { $0.name == part.name }) else {
                throw unknown(part, layout)
            }
            values[property.columns.lowerBound + index] = try value(part.value, parts[index], layout)
        }
    }

    private func value(
        _ node: JSONNode, _ attribute: AttributeDescription, _ layout: EntityLayout
    ) throws -> StoredValue {
        if case .null = node.content { return .null }
        guard let value = StoredValue(fileNode: node, of: attribute.type) else {
            throw wrong("\(layout.name).\(attribute.name) must be \(attribute.type.fileForm)", node)
        }
        return value
    }

    private mutating func readTarget(_ member: JSONMember, _ layout: EntityLayout) throws {
        guard let property = layout.property(named: member.name), let relationship = property.relationship
        else { throw unknown(member, layout) }
        if let column = property.columns.first {
            values[column] = .int(try target(member.value))
        } else if !layout.storedCollections(in: model).contains(where: { $0.slot == property.slot }) {
            let inverse = relationship.description.inverseName.map { ".\($0)" } ?? ""
            throw wrong(
                "the links of \(layout.name).\(member.name) belong to its inverse: write them as "
                    + "\(relationship.description.destinationName)\(inverse)", member.value)
        } else if case .array(let nodes) = member.value.content {
            let targets = try nodes.map(target)
            var seen: Set<Int64> = []
            if let twin = targets.first(where: { !seen.insert($0).inserted }) {
                throw wrong("\(layout.name).\(member.name) contains \(twin) twice", member.value)
            }
            links[property.slot] = targets
        } else {
            throw wrong("\(layout.name).\(member.name) must be an array of ids", member.value)
        }
    }

    private func target(_ node: JSONNode) throws -> Int64 {
        if case .number(let number) = node.content, let key = number.int64, key > 0 { return key }
        throw wrong("the value must be an id", node)
    }

    /// Throws if a value breaks a validation rule, so that the error names the line.
    private func check(_ layout: EntityLayout, _ root: JSONNode) throws {
        for property in layout.properties {
            guard let validation = property.validation, !property.columns.isEmpty,
                case let stored = property.columns.map({ values[$0] ?? .null }),
                let value = Self.whole(stored, property),
                let failure = validation.failures(of: value).first
            else { continue }
            throw wrong("\(layout.name).\(property.name) \(failure.message)", root)
        }
    }

    private static func whole(_ stored: [StoredValue], _ property: PropertyLayout) -> StoredValue? {
        guard case .composite? = property.attribute?.type else { return stored.first }
        return stored.allSatisfy(\.isNull) ? .null : .composite(stored)
    }

    // MARK: Errors

    private func wrong(_ what: String, _ node: JSONNode) -> AdminError {
        .badData("\(place):\(node.position.column): \(what).")
    }

    private func unknown(_ member: JSONMember, _ layout: EntityLayout) -> AdminError {
        let near = Spelling.nearest(to: member.name, among: layout.properties.map(\.name))
        return .badData(
            "\(place):\(member.position.column): \(layout.name) has no property “\(member.name)”.",
            hint: near.map { "Did you mean \($0)?" })
    }

    private func failure(_ problems: JSONProblems) -> AdminError {
        .badData(
            problems.list.map { "\(place):\($0.position.column): \($0.message)" }.joined(separator: "\n"))
    }
}
