import ContextCore

/// A property, or a part of a composite, whose values are masked by a rule.
struct MaskTarget {
    /// One column of the property, with the description of its values.
    struct Column {
        let index: Int
        let attribute: AttributeDescription
    }

    let entity: EntityLayout
    let columns: [Column]
    private let name: String
    private let rule: MaskRule
    private let isOptional: Bool

    /// - Parameters:
    ///   - name: The name of the property with its entity: `Player.name`, or `Player.address.city` for a part.
    ///   - rule: The name of the rule.
    init(_ name: String, rule: String, in model: ObjectModel) throws {
        guard let rule = MaskRule(rawValue: rule) else {
            let choices = MaskRule.allCases.map(\.rawValue)
            throw AdminError.usage(
                "there is no rule “\(rule)” for \(name).",
                hint: Spelling.nearest(to: rule, among: choices).map { "Did you mean \($0)?" }
                    ?? "Use one of \(choices.joined(separator: ", ")).")
        }
        let names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2 || names.count == 3 else {
            throw AdminError.usage(
                "--mask takes a property with its entity, such as Player.name, not “\(name)”.")
        }
        entity = try model.entity(names[0])
        self.name = name
        self.rule = rule
        guard let property = entity.property(named: names[1]) else {
            throw Self.unknown(names[1], of: entity.name, among: entity.properties.map(\.name))
        }
        guard let attribute = property.attribute, !property.columns.isEmpty else {
            throw AdminError.usage(
                "\(name) can't be masked: "
                    + (property.relationship == nil ? "it isn't stored." : "it is a relationship."),
                hint: "Name a stored attribute.")
        }
        guard case .composite(let parts) = attribute.type else {
            if names.count > 2 { throw Self.unknown(names[2], of: "\(entity.name).\(names[1])", among: []) }
            columns = [Column(index: property.columns.lowerBound, attribute: attribute)]
            isOptional = attribute.isOptional
            return
        }
        let all = zip(property.columns, parts).map { Column(index: $0, attribute: $1) }
        columns = names.count == 2 ? all : all.filter { $0.attribute.name == names[2] }
        isOptional = names.count == 2 ? attribute.isOptional : columns.allSatisfy(\.attribute.isOptional)
        if columns.isEmpty {
            throw Self.unknown(names[2], of: "\(entity.name).\(names[1])", among: parts.map(\.name))
        }
    }

    /// Returns the change of a column's values.
    ///
    /// - Throws: ``AdminError`` if the rule would make values that the model doesn't allow.
    func change(
        of column: Column, in model: ObjectModel, seed: Int
    ) throws -> @Sendable (StoredValue) -> StoredValue {
        let root = model.layouts[entity.rootIndex].name
        let digest = MaskDigest(seed: seed, label: "\(root).\(entity.columns[column.index].name)")
        let isUnique = entity.familyIndices.contains { index in
            model.layouts[index].uniqueConstraints.contains { $0.columns.contains(column.index) }
        }
        if rule != .null, column.attribute.transformerName != nil {
            throw unsuitable(
                "the program's transformer couldn't read the values", isOptional ? "Use null." : nil)
        }
        let hashed = HashedValue(attribute: column.attribute, digest: digest)
        let hashProblem = hashed.problem(isUnique: isUnique)
        let remedies = [hashProblem == nil ? "hash" : nil, isOptional ? "null" : nil].compactMap(\.self)
        let hint = remedies.isEmpty ? nil : "Use \(remedies.joined(separator: " or "))."
        switch rule {
        case .null:
            if !isOptional { throw unsuitable("it is required", hint) }
            return { _ in .null }
        case .hash:
            if let hashProblem { throw unsuitable(hashProblem, hint) }
            return { hashed.value($0) }
        case .fake:
            let fake = FakeText(attribute: column.attribute, digest: digest, isUnique: isUnique)
            if let problem = fake.problem { throw unsuitable(problem, hint) }
            return { fake.value($0) }
        }
    }

    private func unsuitable(_ reason: String, _ hint: String?) -> AdminError {
        .usage("\(name) can't be masked by \(rule.rawValue): \(reason).", hint: hint)
    }

    private static func unknown(_ name: String, of owner: String, among names: [String]) -> AdminError {
        let near = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)?" }
        let list = names.isEmpty ? "It has no parts." : "It has \(names.joined(separator: ", "))."
        return AdminError(
            code: "SC1004", exit: .usage, message: "\(owner) has no property “\(name)”.", hint: near ?? list)
    }
}
