import ContextCore
import Foundation
import RandomSeeds

/// A generator of valid models with 5 to 15 entities and all features; the same seed gives the same model.
struct RandomModel {
    private(set) var entities: [EntityDescription] = []
    var random: SeededRandom
    private var nameCount = 0

    static let transformers: [any AttributeTransformer] = [Sealed()]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        for index in 0..<Int.random(in: 5...15, using: &random) { addEntity(index) }
        for _ in 0..<entities.count { addRelationships() }
        for index in entities.indices { addDerivations(to: index) }
        for index in entities.indices { addIndexes(to: index) }
    }

    /// Returns the same declarations in another order.
    mutating func shuffled() -> [EntityDescription] {
        entities.shuffled(using: &random).map { entity in
            var entity = entity
            entity.attributes.shuffle(using: &random)
            entity.relationships.shuffle(using: &random)
            entity.indexes.shuffle(using: &random)
            entity.uniqueConstraints.shuffle(using: &random)
            return entity
        }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func name(_ prefix: String) -> String {
        nameCount += 1
        return "\(prefix)\(nameCount)"
    }

    /// Returns an entity and its superentities.
    private func lineage(of index: Int) -> [EntityDescription] {
        guard let above = entities[index].superentityName,
            let place = entities.firstIndex(where: { $0.name == above })
        else { return [entities[index]] }
        return lineage(of: place) + [entities[index]]
    }
}

// MARK: - Entities and attributes

extension RandomModel {
    private mutating func addEntity(_ index: Int) {
        var entity = EntityDescription("E\(index)")
        if index > 0, chance(30) { entity.superentityName = entities.randomElement(using: &random)?.name }
        entity.isAbstract = chance(15)
        if chance(10) { entity.renamingIdentifier = name("Old") }
        if chance(10) { entity.versionHashModifier = name("v") }
        entity.attributes = (0..<Int.random(in: 1...7, using: &random)).map { _ in attribute() }
        entities.append(entity)
    }

    private mutating func attribute() -> AttributeDescription {
        var attribute = part()
        if chance(15) { attribute.type = composite() }
        if chance(10) {
            attribute.storage = .transient
        } else if [.string, .data, .codable].contains(attribute.type), chance(20) {
            attribute.externalThreshold = Int.random(in: 1...100_000, using: &random)
        }
        if attribute.type == .data, chance(50) { attribute.transformerName = Sealed.name }
        if case .composite = attribute.type { return attribute }
        if chance(40) { addValues(to: &attribute) }
        attribute.preservesValueOnDeletion = chance(10)
        return attribute
    }

    private mutating func part() -> AttributeDescription {
        var attribute = AttributeDescription(name("a"), type(), isOptional: chance(40))
        if chance(10) { attribute.renamingIdentifier = name("old") }
        if chance(10) { attribute.versionHashModifier = name("v") }
        return attribute
    }

    private mutating func composite() -> AttributeType {
        var parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in part() }
        parts[0].isOptional = false
        for index in parts.indices where chance(30) { addValues(to: &parts[index]) }
        return .composite(parts)
    }

    private mutating func type() -> AttributeType {
        let precision = Int.random(in: 1...38, using: &random)
        let scale = Int.random(in: 0...precision, using: &random)
        let types: [AttributeType] = [
            .bool, .int16, .int32, .int64, .float, .double, .decimal(precision: precision, scale: scale),
            .string, .data, .date, .uuid, .url, .codable,
        ]
        return types.randomElement(using: &random) ?? .bool
    }

    /// Adds a default, validation rules that the default satisfies, or both.
    private mutating func addValues(to attribute: inout AttributeDescription) {
        let (least, greatest) = bounds(of: attribute.type)
        if chance(70) { attribute.defaultValue = .value(least) }
        switch attribute.type {
        case .int16, .int32, .int64, .float, .double, .decimal:
            attribute.rules = [
                .range(minimum: chance(80) ? least : nil, maximum: greatest)
            ]
        case .date:
            if chance(50) { attribute.defaultValue = .now }
            attribute.rules = [.range(minimum: least, maximum: nil)]
        case .uuid: if chance(50) { attribute.defaultValue = .newUUID }
        case .string:
            attribute.rules = [.length(minimum: 1, maximum: 40), .pattern("[a-z]+( [a-z]{1,9})*")]
        case .data: attribute.rules = [.length(minimum: nil, maximum: 9)]
        default: break
        }
    }

    private mutating func bounds(of type: AttributeType) -> (StoredValue, StoredValue) {
        let whole = Int64.random(in: -1000...1000, using: &random)
        switch type {
        case .bool: return (.bool(chance(50)), .bool(true))
        case .int16, .int32, .int64: return (.int(whole), .int(whole + 9))
        case .float, .double:
            // Round to a 32-bit float, since a bound must be representable.
            return (.double(Double(whole) / 10), .double(Double(whole) / 10 + 9))
        case .decimal(let precision, let scale):
            let digit = Decimal(sign: .plus, exponent: scale == precision ? -1 : 0, significand: 1)
            return (.decimal(scale == 0 ? 0 : digit * 3), .decimal(digit * 9))
        case .string: return (.string("go on"), .null)
        case .data: return (.data(Data("\(whole)".utf8)), .null)
        case .date: return (.timestamp(microseconds: whole * 1_000_003), .null)
        case .uuid:
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            return (.uuid(bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) }), .null)
        case .url: return (.string("https://example.com/\(whole)"), .null)
        case .codable: return (.string(#"{"b": [1.0, null], "a": "\#(whole)"}"#), .null)
        case .composite: return (.null, .null)
        }
    }
}

// MARK: - Relationships

extension RandomModel {
    private mutating func addRelationships() {
        let source = Int.random(in: entities.indices, using: &random)
        let target = Int.random(in: entities.indices, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: add(toOne(target), to: source)
        case 1: pair(source, toOne(target), target, toOne(source))
        case 2: pair(source, toMany(target), target, toOne(source))
        case 3: pair(source, toMany(target), target, toMany(source))
        case 4:
            var friends = toMany(source)
            friends.inverseName = friends.name
            friends.isOrdered = false
            add(friends, to: source)
        default: pair(source, toMany(source), source, toOne(source))
        }
    }

    private mutating func toOne(_ target: Int) -> RelationshipDescription {
        var relationship = relationship(to: target)
        relationship.isOptional = !canExist(target) || chance(70)
        return relationship
    }

    private mutating func toMany(_ target: Int) -> RelationshipDescription {
        var relationship = relationship(to: target)
        relationship.isToMany = true
        relationship.isOrdered = chance(40)
        if chance(30) { relationship.minimumCount = canExist(target) ? 1 : 0 }
        if chance(30) { relationship.maximumCount = Int.random(in: 1...9, using: &random) }
        return relationship
    }

    private mutating func relationship(to target: Int) -> RelationshipDescription {
        // Without `deny`, so that two objects can't prevent each other's deletion.
        let rules: [DeleteRule] = [.nullify, .cascade, .noAction]
        return RelationshipDescription(
            name("r"), to: entities[target].name, deleteRule: rules.randomElement(using: &random) ?? .nullify,
            renamingIdentifier: chance(10) ? name("old") : nil,
            versionHashModifier: chance(10) ? name("v") : nil)
    }

    private mutating func pair(
        _ source: Int, _ relationship: RelationshipDescription,
        _ target: Int, _ inverse: RelationshipDescription
    ) {
        var (relationship, inverse) = (relationship, inverse)
        let sides = Int.random(in: 1...3, using: &random)
        if sides & 1 != 0 { relationship.inverseName = inverse.name }
        if sides & 2 != 0 { inverse.inverseName = relationship.name }
        if chance(20) { relationship.deleteRule = .deny }
        add(relationship, to: source)
        add(inverse, to: target)
    }

    private mutating func add(_ relationship: RelationshipDescription, to index: Int) {
        entities[index].relationships.append(relationship)
    }

    /// Returns whether objects of an entity can exist.
    private func canExist(_ index: Int) -> Bool {
        entities.indices.contains { other in
            !entities[other].isAbstract && lineage(of: other).contains { $0.name == entities[index].name }
        }
    }
}

// MARK: - Derivations, indexes and constraints

extension RandomModel {
    private mutating func addDerivations(to index: Int) {
        var derived: [AttributeDescription] = []
        func add(_ name: String, _ type: AttributeType, _ derivation: Derivation) {
            derived.append(
                AttributeDescription(name, type, isOptional: true, storage: .derived(derivation)))
        }
        if chance(20) { add(name("d"), .date, .now) }
        for source in entities[index].attributes where source.canBeSource && source.type == .string {
            if chance(30) { add(name("d"), .string, .lowercased(path: source.name)) }
            if chance(30) { add(name("d"), .string, .canonical(path: source.name)) }
        }
        for relationship in entities[index].relationships {
            let target = entities.first { $0.name == relationship.destinationName }
            let sources = (target?.attributes ?? []).filter(\.canBeSource)
            guard relationship.isToMany else {
                if let source = sources.first, chance(30) {
                    add(name("d"), source.type, .copy(path: "\(relationship.name).\(source.name)"))
                }
                continue
            }
            if chance(50) { add(name("d"), .int64, .count(relationship: relationship.name)) }
            for source in sources.filter({ $0.type == .double || $0.type == .int64 }) where chance(50) {
                add(name("d"), source.type, .sum(relationship: relationship.name, attribute: source.name))
                add(name("d"), source.type, .maximum(relationship: relationship.name, attribute: source.name))
            }
        }
        entities[index].attributes += derived
    }

    private mutating func addIndexes(to index: Int) {
        let names = lineage(of: index).flatMap { entity in
            entity.attributes.flatMap(\.comparableNames)
                + entity.relationships.filter { !$0.isToMany }.map(\.name)
        }
        guard !names.isEmpty else { return }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let chosen = names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            let elements = chosen.map { IndexDescription.Element($0, isDescending: chance(40)) }
            let predicate = chance(40) ? chosen.map { "\($0) != nil" }.joined(separator: " AND ") : nil
            entities[index].indexes.append(IndexDescription(elements, where: predicate))
        }
        if chance(30) {
            let chosen = names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            entities[index].uniqueConstraints.append(UniqueConstraint(Array(chosen)))
        }
    }
}

extension AttributeDescription {
    /// Whether a derived attribute can use it as a source.
    fileprivate var canBeSource: Bool {
        guard storage == .stored, transformerName == nil, type != .codable else { return false }
        if case .composite = type { return false }
        return true
    }

    /// The names that an index can use.
    fileprivate var comparableNames: [String] {
        guard storage != .transient, externalThreshold == nil else { return [] }
        if case .composite(let parts) = type {
            return parts.filter { $0.type != .codable }.map { "\(name).\($0.name)" }
        }
        return type == .codable ? [] : [name]
    }
}

private struct Sealed: AttributeTransformer {
    static let name = "sealed"
    static let storedType = AttributeType.data
    static let placeholder = ""
    func storedValue(of value: String) -> StoredValue { .data(Data(value.utf8)) }
    func value(from stored: StoredValue) -> String { "\(stored)" }
}
