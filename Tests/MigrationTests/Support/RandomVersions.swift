import ContextCore
import Foundation
import RandomSeeds

/// A generator of versions of a model, a few random changes apart, which cover every kind of change.
struct RandomVersions {
    private var random: SeededRandom
    private var entities: [EntityDescription]
    private var hints = MigrationHints()
    private var count = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        entities = [
            EntityDescription(
                "E0", attributes: [.init("a0", .string), .init("b0", .int64, isOptional: true)]),
            EntityDescription("E1", attributes: [.init("a1", .int64)]),
        ]
        relate(toMany: (true, false))
    }

    /// Returns the versions; the first has no hints.
    mutating func versions(_ number: Int) throws -> [ModelVersion] {
        var versions = [ModelVersion("V1", try ObjectModel(entities: entities))]
        while versions.count < number {
            let (before, counted) = (entities, count)
            hints = MigrationHints()
            for _ in 0..<random.below(3) + 1 { change() }
            guard let model = try? ObjectModel(entities: entities),
                let transition = try? ModelTransition(
                    from: versions[versions.count - 1], to: ModelVersion("next", model, hints: hints)),
                transition.undecided.isEmpty, !transition.difference.changes.isEmpty,
                model.fingerprint != transition.from.model.fingerprint
            else {
                (entities, count) = (before, counted)
                continue
            }
            hints.acceptedLosses = Set(transition.losses)
            versions.append(ModelVersion("V\(versions.count + 1)", model, hints: hints))
        }
        return versions
    }

    private mutating func name(_ prefix: String) -> String {
        count += 1
        return "\(prefix)\(count)"
    }

    private mutating func change() {
        let changes: [(inout RandomVersions) -> Void] = [
            { $0.addEntity() }, { $0.removeEntity() }, { $0.renameEntity() }, { $0.addAttribute() },
            { $0.addAttribute() }, { $0.removeAttribute() }, { $0.renameAttribute() },
            { $0.requireAttribute() },
            { $0.changeType() }, { $0.addRelationship() }, { $0.addRelationship() },
            { $0.removeRelationship() },
            { $0.leadToMany() }, { $0.order() }, { $0.index() }, { $0.constrain() }, { $0.deleteRule() },
            { $0.raise() }, { $0.lower() },
        ]
        changes[random.below(changes.count)](&self)
    }

    // MARK: Entities

    private mutating func addEntity() {
        entities.append(
            EntityDescription(name("E"), attributes: [.init(name("a"), .string, isOptional: true)]))
    }

    private mutating func removeEntity() {
        guard entities.count > 3 else { return }
        let name = entities[random.below(entities.count)].name
        let isUsed = entities.contains { entity in
            entity.superentityName == name || entity.relationships.contains { $0.destinationName == name }
        }
        if isUsed { return }
        entities.removeAll { $0.name == name }
        hints.removed.insert(name)
    }

    private mutating func renameEntity() {
        let index = random.below(entities.count)
        let old = entities[index].name
        guard hints.renames.isEmpty, hints.conversions.isEmpty, hints.removed.isEmpty else { return }
        let new = name("E")
        entities[index].name = new
        for entity in entities.indices {
            if entities[entity].superentityName == old { entities[entity].superentityName = new }
            for place in entities[entity].relationships.indices
            where entities[entity].relationships[place].destinationName == old {
                entities[entity].relationships[place].destinationName = new
            }
        }
        hints.renames[new] = old
    }

    /// Adds a superentity to an entity without one.
    private mutating func raise() {
        let index = random.below(entities.count)
        guard entities[index].superentityName == nil else { return }
        let above = name("E")
        entities[index].superentityName = above
        entities.append(EntityDescription(above, attributes: [.init(name("a"), .int64, isOptional: true)]))
    }

    /// Adds a subentity to an entity.
    private mutating func lower() {
        let above = entities[random.below(entities.count)].name
        entities.append(
            EntityDescription(
                name("E"), superentity: above,
                attributes: [.init(name("a"), .double, default: .value(.double(0.5)))]))
    }

    // MARK: Attributes

    private static let types: [(AttributeType, StoredValue)] = [
        (.string, .string("x")), (.int16, .int(5)), (.int32, .int(-6)), (.int64, .int(7)),
        (.double, .double(1.5)),
        (.float, .double(0.25)), (.bool, .bool(true)), (.date, .timestamp(microseconds: 1_000_000)),
        (.decimal(precision: 9, scale: 2), .decimal(3.25)), (.data, .data(Data([1, 2]))),
    ]

    private mutating func addAttribute() {
        let index = random.below(entities.count)
        let (type, value) = Self.types[random.below(Self.types.count)]
        let isOptional = random.below(2) == 0
        entities[index].attributes.append(
            AttributeDescription(
                name("a"), type, isOptional: isOptional, default: isOptional ? nil : .value(value)))
    }

    private mutating func anyAttribute() -> (Int, Int)? {
        let index = random.below(entities.count)
        guard !entities[index].attributes.isEmpty, hints.renames[entities[index].name] == nil else {
            return nil
        }
        return (index, random.below(entities[index].attributes.count))
    }

    private func isFree(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
        !entity.indexes.contains { $0.elements.contains { $0.property == attribute.name } }
            && !entity.uniqueConstraints.contains { $0.properties.contains(attribute.name) }
            && hints.renames["\(entity.name).\(attribute.name)"] == nil
            && hints.conversions["\(entity.name).\(attribute.name)"] == nil
    }

    private mutating func removeAttribute() {
        guard let (index, place) = anyAttribute(),
            isFree(entities[index].attributes[place], of: entities[index])
        else { return }
        hints.removed.insert("\(entities[index].name).\(entities[index].attributes.remove(at: place).name)")
    }

    private mutating func renameAttribute() {
        guard let (index, place) = anyAttribute(),
            isFree(entities[index].attributes[place], of: entities[index])
        else { return }
        let new = name("a")
        hints.renames["\(entities[index].name).\(new)"] = entities[index].attributes[place].name
        entities[index].attributes[place].name = new
    }

    private mutating func requireAttribute() {
        guard let (index, place) = anyAttribute() else { return }
        let type = entities[index].attributes[place].type
        guard let value = Self.types.first(where: { $0.0 == type })?.1 else { return }
        entities[index].attributes[place].isOptional.toggle()
        entities[index].attributes[place].defaultValue = .value(value)
    }

    private mutating func changeType() {
        guard let (index, place) = anyAttribute(),
            isFree(entities[index].attributes[place], of: entities[index])
        else { return }
        let attribute = entities[index].attributes[place]
        let wider: [AttributeType: AttributeType] = [
            .int16: .int32, .int32: .int64, .float: .double,
            .decimal(precision: 9, scale: 2): .decimal(precision: 24, scale: 4),
        ]
        entities[index].attributes[place].defaultValue = nil
        entities[index].attributes[place].isOptional = true
        if let type = wider[attribute.type] {
            entities[index].attributes[place].type = type
        } else if attribute.type == .int64 {
            entities[index].attributes[place].type = .string
            hints.conversions["\(entities[index].name).\(attribute.name)"] = attribute.name
        }
    }

    // MARK: Relationships

    private mutating func addRelationship() { relate(toMany: (random.below(2) == 0, random.below(2) == 0)) }

    private mutating func relate(toMany: (Bool, Bool)) {
        let (one, other) = (random.below(entities.count), random.below(entities.count))
        let (name, inverse) = (name("r"), name("r"))
        let (first, second) = (entities[one].name, entities[other].name)
        entities[one].relationships.append(
            .init(
                name, to: second, inverse: inverse, isToMany: toMany.0,
                isOrdered: toMany.0 && random.below(3) == 0))
        entities[other].relationships.append(.init(inverse, to: first, inverse: name, isToMany: toMany.1))
    }

    private mutating func anyRelationship() -> (Int, Int)? {
        let index = random.below(entities.count)
        return entities[index].relationships.isEmpty
            ? nil : (index, random.below(entities[index].relationships.count))
    }

    private mutating func removeRelationship() {
        guard hints.renames.isEmpty, let (index, place) = anyRelationship() else { return }
        let gone = entities[index].relationships.remove(at: place)
        hints.removed.insert("\(entities[index].name).\(gone.name)")
        guard let other = entities.firstIndex(where: { $0.name == gone.destinationName }) else { return }
        entities[other].relationships.removeAll { $0.name == gone.inverseName }
        hints.removed.insert("\(gone.destinationName).\(gone.inverseName ?? "")")
    }

    private mutating func leadToMany() {
        guard let (index, place) = anyRelationship() else { return }
        entities[index].relationships[place].isToMany = true
    }

    private mutating func order() {
        guard let (index, place) = anyRelationship(), entities[index].relationships[place].isToMany else {
            return
        }
        entities[index].relationships[place].isOrdered.toggle()
    }

    private mutating func deleteRule() {
        guard let (index, place) = anyRelationship() else { return }
        entities[index].relationships[place].deleteRule = random.below(2) == 0 ? .nullify : .deny
    }

    // MARK: Indexes

    private mutating func index() {
        guard let (index, place) = anyAttribute() else { return }
        let attribute = entities[index].attributes[place]
        if entities[index].indexes.isEmpty, attribute.type != .data {
            entities[index].indexes = [.init([.init(attribute.name, isDescending: random.below(2) == 0)])]
        } else {
            entities[index].indexes = []
        }
    }

    /// Only an attribute without values is certainly unique.
    private mutating func constrain() {
        let index = random.below(entities.count)
        if entities[index].uniqueConstraints.isEmpty {
            let name = name("u")
            entities[index].attributes.append(.init(name, .int64, isOptional: true))
            entities[index].uniqueConstraints = [.init([name])]
        } else {
            entities[index].uniqueConstraints = []
        }
    }
}

extension SeededRandom {
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
