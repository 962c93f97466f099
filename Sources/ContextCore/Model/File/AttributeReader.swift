/// Reads one attribute of a model file, or one part of a composite.
struct AttributeReader {
    private let name: String
    private let problems: JSONProblems
    private var reader: JSONObjectReader

    init?(_ member: JSONMember, _ what: String, _ problems: JSONProblems) {
        guard let reader = JSONObjectReader(member.value, as: what, problems) else { return nil }
        name = member.name
        self.problems = problems
        self.reader = reader
    }

    /// Returns the attribute; nil if its type can't be read, because everything else depends on it.
    consuming func attribute() -> AttributeDescription? {
        guard let type = type() else { return nil }
        var attribute = AttributeDescription(name, type, isOptional: reader.flag("optional"))
        attribute.storage = storage()
        attribute.defaultValue = defaultValue(of: type)
        attribute.rules = readRules(of: type)
        attribute.transformerName = reader.string("transformer")
        attribute.externalThreshold = reader.int("external")
        attribute.renamingIdentifier = reader.string("renamedFrom")
        attribute.versionHashModifier = reader.string("hashModifier")
        attribute.preservesValueOnDeletion = reader.flag("preservedOnDeletion")
        reader.reportUnknownMembers()
        return attribute
    }

    private mutating func type() -> AttributeType? {
        reader.requireMember("type")
        let types = ModelFileNames.types.merging(
            ["decimal": .decimal(precision: 0, scale: 0), "composite": .composite([])],
            uniquingKeysWith: { first, _ in first })
        guard let type = reader.choice("type", types) else { return nil }
        switch type {
        case .decimal:
            reader.requireMember("precision")
            reader.requireMember("scale")
            return .decimal(precision: reader.int("precision") ?? 38, scale: reader.int("scale") ?? 0)
        case .composite:
            reader.requireMember("parts")
            let problems = problems
            return .composite(
                reader.object("parts").compactMap { member in
                    AttributeReader(member, "a part of a composite", problems)?.attribute()
                })
        default:
            return type
        }
    }

    private mutating func storage() -> AttributeStorage {
        let isTransient = reader.flag("transient")
        guard let member = reader.member("derived") else { return isTransient ? .transient : .stored }
        if isTransient {
            problems.report(
                "An attribute is either “transient” or “derived”: remove one.", at: member.position)
        }
        return DerivationReader(problems: problems).derivation(member.value).map(AttributeStorage.derived)
            ?? .stored
    }

    private mutating func defaultValue(of type: AttributeType) -> AttributeDefault? {
        let generated = reader.choice("generated", ["now": AttributeDefault.now, "uuid": .newUUID])
        guard let member = reader.member("default") else { return generated }
        if generated != nil {
            problems.report(
                "An attribute has either a “default” or a “generated” value: remove one.", at: member.position
            )
        }
        return value(member.value, of: type, "default").map(AttributeDefault.value)
    }

    private mutating func readRules(of type: AttributeType) -> [ValidationRule] {
        var rules: [ValidationRule] = []
        let minimum = reader.member("minimum").flatMap { value($0.value, of: type, "minimum") }
        let maximum = reader.member("maximum").flatMap { value($0.value, of: type, "maximum") }
        if minimum != nil || maximum != nil { rules.append(.range(minimum: minimum, maximum: maximum)) }
        let minimumLength = reader.int("minimumLength")
        let maximumLength = reader.int("maximumLength")
        if minimumLength != nil || maximumLength != nil {
            rules.append(.length(minimum: minimumLength, maximum: maximumLength))
        }
        if let pattern = reader.string("pattern") { rules.append(.pattern(pattern)) }
        return rules
    }

    private func value(_ node: JSONNode, of type: AttributeType, _ what: String) -> StoredValue? {
        if case .composite(let parts) = type { return composite(node, of: parts, what) }
        if let value = StoredValue(fileNode: node, of: type) { return value }
        problems.report(
            "The “\(what)” of \(type.displayName) must be \(type.fileForm).", at: node.position)
        return nil
    }

    private func composite(
        _ node: JSONNode, of parts: [AttributeDescription], _ what: String
    ) -> StoredValue? {
        guard var reader = JSONObjectReader(node, as: "the “\(what)” of a composite", problems) else {
            return nil
        }
        let values = parts.sortedByBytes(of: \.name).map { part in
            reader.member(part.name).flatMap { value($0.value, of: part.type, what) } ?? .null
        }
        reader.reportUnknownMembers()
        return .composite(values)
    }
}
