import ContextCore

/// Reads the line of an object in an export; unknown names and invalid values are errors with their line and column.
struct ObjectLineReader {
    private let model: ObjectModel
    private let location: String
    private(set) var entityIndex = 0
    private(set) var key: Int64 = 0
    private(set) var version = RowBatch.firstVersion
    private(set) var values: [Int: StoredValue] = [:]
    private(set) var links: [Int: [Int64]] = [:]

    init(model: ObjectModel, location: String) {
        self.model = model
        self.location = location
    }

    mutating func read(_ root: JSONNode) throws {
        let problems = JSONProblems()
        guard var reader = JSONObjectReader(root, as: "an object", problems) else {
            throw formatError(problems)
        }
        reader.requireMember("entity")
        reader.requireMember("id")
        let name = reader.string("entity") ?? ""
        let id = reader.int("id") ?? 0
        version = Int64(reader.int("version") ?? Int(RowBatch.firstVersion))
        let written = reader.object("values")
        let targets = reader.object("to")
        reader.reportUnknownMembers()
        if !problems.list.isEmpty { throw formatError(problems) }
        let layout = try model.entity(name)
        if layout.isAbstract { throw invalidValueError("\(name) is abstract", root) }
        if id <= 0 { throw invalidValueError("an id must be greater than 0", root) }
        (entityIndex, key) = (layout.index, Int64(id))
        for member in written { try readValue(member, layout) }
        for member in targets { try readTarget(member, layout) }
        try check(layout, root)
    }

    private mutating func readValue(_ member: JSONMember, _ layout: EntityLayout) throws {
        guard let property = layout.property(named: member.name), let attribute = property.attribute,
            !property.columns.isEmpty
        else { throw unknownPropertyError(member, layout) }
        do {
            for (offset, value) in try AttributeForm.columns(member.value, of: attribute) {
                values[property.columns.lowerBound + offset] = value
            }
        } catch {
            switch error {
            case .unknownPart(let part): throw unknownPropertyError(part, layout)
            case .form(let name, let form, let node):
                throw invalidValueError("\(layout.name).\(name) must be \(form)", node)
            }
        }
    }

    private mutating func readTarget(_ member: JSONMember, _ layout: EntityLayout) throws {
        guard let property = layout.property(named: member.name), let relationship = property.relationship
        else { throw unknownPropertyError(member, layout) }
        if let column = property.columns.first {
            values[column] = .int(try target(member.value))
        } else if !layout.storedCollections(in: model).contains(where: { $0.slot == property.slot }) {
            let inverse = relationship.description.inverseName.map { ".\($0)" } ?? ""
            throw invalidValueError(
                "the links of \(layout.name).\(member.name) belong to its inverse: write them as "
                    + "\(relationship.description.destinationName)\(inverse)", member.value)
        } else if case .array(let nodes) = member.value.content {
            let targets = try nodes.map(target)
            var seen: Set<Int64> = []
            if let duplicate = targets.first(where: { !seen.insert($0).inserted }) {
                throw invalidValueError(
                    "\(layout.name).\(member.name) contains \(duplicate) twice", member.value)
            }
            links[property.slot] = targets
        } else {
            throw invalidValueError("\(layout.name).\(member.name) must be an array of ids", member.value)
        }
    }

    private func target(_ node: JSONNode) throws -> Int64 {
        if case .number(let number) = node.content, let key = number.int64, key > 0 { return key }
        throw invalidValueError("the value must be an id", node)
    }

    /// Throws if a value breaks a validation rule, so that the error names the line.
    private func check(_ layout: EntityLayout, _ root: JSONNode) throws {
        for property in layout.properties {
            guard let validation = property.validation, !property.columns.isEmpty else { continue }
            let value = property.value(ofColumns: property.columns.map { values[$0] ?? .null })
            guard let failure = validation.failures(of: value).first else { continue }
            throw invalidValueError("\(layout.name).\(property.name) \(failure.message)", root)
        }
    }

    // MARK: Errors

    private func invalidValueError(_ what: String, _ node: JSONNode) -> AdminError {
        .badData("\(location):\(node.position.column): \(what).")
    }

    private func unknownPropertyError(_ member: JSONMember, _ layout: EntityLayout) -> AdminError {
        let near = Spelling.nearest(to: member.name, among: layout.properties.map(\.name))
        return .badData(
            "\(location):\(member.position.column): \(layout.name) has no property “\(member.name)”.",
            hint: near.map { "Did you mean \($0)?" })
    }

    private func formatError(_ problems: JSONProblems) -> AdminError {
        .badData(
            problems.list.map { "\(location):\($0.position.column): \($0.message)" }.joined(separator: "\n"))
    }
}
