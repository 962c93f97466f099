import ContextCore
import Foundation

extension CoreDataConversion {
    /// Returns the description of an attribute; nil if the model can't have it.
    mutating func convertedAttribute(
        _ attribute: CoreDataModel.Attribute, of entity: CoreDataModel.Entity
    ) -> AttributeDescription? {
        let property = CoreDataFacts.Property(entity: entity.name, name: attribute.name)
        guard let name = propertyNames[property] else {
            let reason =
                attribute.isTransient ? "the transient attribute has no type." : "the attribute has no type."
            remark(.omitted, property.text, reason)
            return nil
        }
        guard var description = described(attribute, name, property) else { return nil }
        description.versionHashModifier = attribute.versionHashModifier
        description.preservesValueOnDeletion = attribute.preservesValueOnDeletion && !attribute.isTransient
        if attribute.isTransient {
            description.storage = .transient
        } else if let expression = attribute.derivation {
            setDerivation(expression, &description, property)
        }
        if attribute.allowsExternalStorage, !attribute.isTransient,
            [.data, .codable].contains(description.type)
        {
            description.externalThreshold = 65_536
        }
        return description
    }

    /// Returns the description of an attribute or of a composite's part: its type, whether it is optional, its default and its rules.
    private mutating func described(
        _ attribute: CoreDataModel.Attribute, _ name: String, _ property: CoreDataFacts.Property
    ) -> AttributeDescription? {
        let facts = facts.attributes[property] ?? CoreDataFacts.Attribute()
        guard let type = type(of: attribute, property, facts) else { return nil }
        var description = AttributeDescription(name, type, isOptional: attribute.isOptional)
        if !attribute.isOptional, facts.missing > 0, attribute.derivation == nil {
            description.isOptional = true
            remark(
                .changed, property.text,
                "optional, because \(Quantity.text(facts.missing, "object has", "objects have")) no value.")
        }
        if case .composite(let parts) = type, attribute.isOptional, parts.allSatisfy(\.isOptional) {
            description.isOptional = false
        }
        description.rules = Self.rules(of: attribute, type)
        if attribute.hasOtherRules {
            remark(.omitted, property.text, "validation predicates other than limits and patterns.")
        }
        if facts.violations > 0 {
            remark(
                .changed, property.text,
                "\(Quantity.text(facts.violations, "value breaks", "values break")) its rules, and can't be saved again unchanged."
            )
        }
        setDefault(attribute, &description, property)
        return description
    }

    // MARK: Types

    private mutating func type(
        of attribute: CoreDataModel.Attribute, _ property: CoreDataFacts.Property,
        _ facts: CoreDataFacts.Attribute
    ) -> AttributeType? {
        switch attribute.type {
        case .int16: return .int16
        case .int32: return .int32
        case .int64: return .int64
        case .double: return .double
        case .float: return .float
        case .bool: return .bool
        case .string: return .string
        case .date: return .date
        case .uuid: return .uuid
        case .data: return .data
        case .decimal: return decimalType(property, facts)
        case .uri:
            if facts.isURL { return .url }
            remark(.changed, property.text, "text, because some of its values are not URLs.")
            return .string
        case .transformable: return transformableType(attribute, property, facts)
        case .composite: return compositeType(attribute, property)
        case .undefined, .objectID: return nil
        }
    }

    private mutating func decimalType(
        _ property: CoreDataFacts.Property, _ facts: CoreDataFacts.Attribute
    ) -> AttributeType {
        let scale = max(10, facts.fractionDigits)
        if facts.wholeDigits + scale <= 38 { return .decimal(precision: 38, scale: scale) }
        if facts.wholeDigits + facts.fractionDigits <= 38 {
            return .decimal(precision: 38, scale: 38 - facts.wholeDigits)
        }
        remark(.changed, property.text, "text, because its numbers have more than 38 digits.")
        return .string
    }

    private mutating func transformableType(
        _ attribute: CoreDataModel.Attribute, _ property: CoreDataFacts.Property,
        _ facts: CoreDataFacts.Attribute
    ) -> AttributeType {
        let transformer =
            attribute.valueTransformer.map { "the transformer \($0)" } ?? "the default transformer"
        if attribute.isTransient { return .data }
        if facts.isPlain, facts.values > 0 {
            remark(.changed, property.text, "codable; the output of \(transformer) is decoded to JSON.")
            return .codable
        }
        remark(.changed, property.text, "data; the bytes are the output of \(transformer).")
        return .data
    }

    private mutating func compositeType(
        _ attribute: CoreDataModel.Attribute, _ property: CoreDataFacts.Property
    ) -> AttributeType? {
        var parts: [AttributeDescription] = []
        for (name, path, part) in Self.parts(of: attribute) {
            let inner = CoreDataFacts.Property(entity: property.entity, name: "\(property.name).\(path)")
            guard var description = described(part, name, inner) else { continue }
            description.defaultValue = nil
            if path != name { remark(.changed, inner.text, "the part is named \(name).") }
            parts.append(description)
        }
        if parts.isEmpty {
            remark(.omitted, property.text, "the composite has no parts.")
            return nil
        }
        return .composite(parts)
    }

    // MARK: Rules and defaults

    /// Returns the rules of an attribute that has the given type in the model.
    static func rules(of attribute: CoreDataModel.Attribute, _ type: AttributeType) -> [ValidationRule] {
        var rules: [ValidationRule] = []
        let (minimum, maximum) = (attribute.minimum, attribute.maximum)
        if minimum != nil || maximum != nil {
            switch type {
            case .string, .url:
                rules.append(
                    .length(
                        minimum: minimum.flatMap(Int.init(exactly:)),
                        maximum: maximum.flatMap(Int.init(exactly:))))
            case .int16, .int32, .int64, .double, .float, .decimal, .date:
                rules.append(
                    .range(
                        minimum: minimum.flatMap { bound($0, type) },
                        maximum: maximum.flatMap { bound($0, type) }))
            default: break
            }
        }
        if let pattern = attribute.pattern, type == .string || type == .url {
            rules.append(.pattern(pattern))
        }
        return rules
    }

    /// Returns a number as a value of a type; nil if the type can't represent it.
    private static func bound(_ number: Double, _ type: AttributeType) -> StoredValue? {
        switch type {
        case .bool: .bool(number != 0)
        case .int16, .int32, .int64: Int64(exactly: number.rounded()).map { .int($0) }
        case .double: .double(number)
        case .float: .double(Double(Float(number)))
        case .decimal: Decimal(string: "\(number)").map { .decimal($0) }
        case .date: Date(timeIntervalSinceReferenceDate: number).storedValue
        default: nil
        }
    }

    private mutating func setDefault(
        _ attribute: CoreDataModel.Attribute, _ description: inout AttributeDescription,
        _ property: CoreDataFacts.Property
    ) {
        guard let written = attribute.defaultValue, attribute.derivation == nil else { return }
        var value: StoredValue?
        switch (written, description.type) {
        case (.number(let number), _), (.date(let number), .date):
            value = Self.bound(number, description.type)
        case (.text(let text), .string), (.text(let text), .url): value = .string(text)
        case (.text(let text), .uuid): value = UUID(uuidString: text).map { .uuid($0) }
        default: break
        }
        if let value, ValueValidation(description).failures(of: value).isEmpty {
            description.defaultValue = .value(value)
        } else if written != .text("") {
            remark(.omitted, property.text, "its default value.")
        }
    }

    private mutating func setDerivation(
        _ expression: String, _ description: inout AttributeDescription, _ property: CoreDataFacts.Property
    ) {
        let derivation = CoreDataDerivation.derivation(expression) { path in
            renamedPath(path, from: property.entity)
        }
        guard let derivation else {
            remark(.changed, property.text, "stored; its derivation “\(expression)” has no counterpart.")
            return
        }
        description.storage = .derived(derivation)
        description.defaultValue = nil
        description.rules = []
        // Core Data allows a count of any width.
        if case .count = derivation { description.type = .int64 }
        if case .sum = derivation, [.int16, .int32].contains(description.type) { description.type = .int64 }
        if case .sum = derivation, description.type == .float { description.type = .double }
    }

    /// Returns a path with the names of the model; nil if a property on it is missing.
    private func renamedPath(_ path: String, from entity: String) -> String? {
        var (names, current): ([String], String?) = ([], entity)
        for part in path.split(separator: ".").map(String.init) {
            guard let owner = current, let name = name(of: part, in: owner) else { return nil }
            names.append(name)
            let relationship = source.lineage(of: owner).lazy.compactMap { ancestor in
                source.entity(named: ancestor)?.relationships.first { $0.name == part }
            }.first
            current = relationship?.destination
        }
        return names.joined(separator: ".")
    }
}
