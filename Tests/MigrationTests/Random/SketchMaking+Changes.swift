import ContextCore
import RandomSeeds

extension SketchMaking {
    /// Makes one random change, or none if the chosen part can't be changed.
    mutating func change() {
        let changes: [(inout SketchMaking) -> Void] = [
            { $0.addEntity() }, { $0.removeEntity() }, { $0.renameEntity() }, { $0.swapEntityNames() },
            { $0.moveEntity() }, { $0.moveEntity() }, { $0.leaveTree() }, { $0.raise() },
            { $0.toggleAbstract() },
            { $0.addAttribute() }, { $0.removeAttribute() }, { $0.renameAttribute() },
            { $0.swapAttributeNames() },
            { $0.moveAttribute() }, { $0.changeType() }, { $0.changeType() }, { $0.toggleOptional() },
            { $0.toggleIndex() }, { $0.toggleUnique() },
            { $0.addAssociation() }, { $0.removeEnd() }, { $0.addEnd() }, { $0.renameEnd() },
            { $0.toggleToMany() },
            { $0.toggleOrdered() }, { $0.toggleRequired() }, { $0.changeInverse() },
            { $0.changeDestination() },
        ]
        changes[random.below(changes.count)](&self)
    }

    // MARK: Entities

    mutating func addEntity() {
        let parent = chance(1, in: 2) && !sketch.entities.isEmpty ? sketch.entities[anyEntity()].id : nil
        sketch.entities.append(
            ModelSketch.Entity(
                id: number(), name: entityName(), parent: parent, isAbstract: chance(1, in: 6)))
    }

    /// Removes an entity; its subentities move up or are removed too, and so are the relationships to it.
    mutating func removeEntity() {
        guard sketch.entities.count > 2 else { return }
        let gone = sketch.entities[anyEntity()]
        if chance(1, in: 2) {
            for index in sketch.entities.indices where sketch.entities[index].parent == gone.id {
                sketch.entities[index].parent = gone.parent
            }
        }
        let removed = sketch.entities.filter { sketch.isKind($0.id, of: gone.id) }.map(\.id)
        sketch.entities.removeAll { removed.contains($0.id) }
        sketch.associations.removeAll { $0.sides.contains { removed.contains($0.entity) } }
    }

    mutating func renameEntity() {
        let index = anyEntity()
        guard sketch.entities[index].formerName == nil, old.entity(sketch.entities[index].id) != nil else {
            return
        }
        sketch.entities[index].formerName = sketch.entities[index].name
        sketch.entities[index].name = entityName()
    }

    mutating func swapEntityNames() {
        let (one, other) = (anyEntity(), anyEntity())
        let both = [sketch.entities[one], sketch.entities[other]]
        guard one != other, both.allSatisfy({ $0.formerName == nil && old.entity($0.id) != nil }) else {
            return
        }
        sketch.entities[one].formerName = both[0].name
        sketch.entities[one].name = both[1].name
        sketch.entities[other].formerName = both[1].name
        sketch.entities[other].name = both[0].name
    }

    /// Moves an entity below another one of its tree, or sometimes of another tree.
    mutating func moveEntity() {
        let (index, above) = (anyEntity(), anyEntity())
        let (entity, parent) = (sketch.entities[index], sketch.entities[above])
        let isNear = sketch.root(of: entity.id) == sketch.root(of: parent.id)
        guard !sketch.isKind(parent.id, of: entity.id), isNear || chance(1, in: 8) else { return }
        sketch.entities[index].parent = parent.id
    }

    /// Moves an entity out of its tree, sometimes with attributes that it inherited.
    mutating func leaveTree() {
        let index = anyEntity()
        guard sketch.entities[index].parent != nil else { return }
        let inherited = sketch.chain(sketch.entities[index].id).dropFirst()
            .flatMap { sketch.entity($0)?.attributes ?? [] }.filter {
                $0.formerName == nil && conversions[$0.id] == nil
            }
        sketch.entities[index].parent = nil
        for attribute in inherited where chance(1, in: 3) {
            var copy = attribute
            (copy.isIndexed, copy.isUnique) = (false, false)
            sketch.entities[index].attributes.append(copy)
        }
    }

    /// Adds a superentity to an entity.
    mutating func raise() {
        let index = anyEntity()
        let id = number()
        sketch.entities.append(
            ModelSketch.Entity(
                id: id, name: entityName(), parent: sketch.entities[index].parent,
                isAbstract: chance(1, in: 2)))
        sketch.entities[index].parent = id
    }

    mutating func toggleAbstract() { sketch.entities[anyEntity()].isAbstract.toggle() }

    // MARK: Attributes

    mutating func addAttribute() {
        let index = anyEntity()
        let type = Self.types[random.below(Self.types.count)]
        let isOptional = chance(1, in: 2)
        // A required attribute without a default prevents the migration if there are objects.
        let defaultValue = chance(isOptional ? 1 : 5, in: 6) ? value(of: type) : nil
        sketch.entities[index].attributes.append(
            ModelSketch.Attribute(
                id: number(), name: propertyName(for: sketch.entities[index].id), type: type,
                isOptional: isOptional, defaultValue: defaultValue, isIndexed: chance(1, in: 6)))
    }

    mutating func removeAttribute() {
        guard let (entity, place) = anyAttribute() else { return }
        sketch.entities[entity].attributes.remove(at: place)
    }

    mutating func renameAttribute() {
        guard let (entity, place) = anyAttribute() else { return }
        let former = sketch.entities[entity].attributes[place].name
        sketch.entities[entity].attributes[place].name = propertyName(for: sketch.entities[entity].id)
        sketch.entities[entity].attributes[place].formerName = former
    }

    mutating func swapAttributeNames() {
        guard let (entity, place) = anyAttribute(), let (other, second) = anyAttribute(),
            (entity, place) != (other, second)
        else { return }
        let names = (
            sketch.entities[entity].attributes[place].name, sketch.entities[other].attributes[second].name
        )
        guard names.0 != names.1 else { return }
        sketch.entities[entity].attributes[place].formerName = names.0
        sketch.entities[entity].attributes[place].name = names.1
        sketch.entities[other].attributes[second].formerName = names.1
        sketch.entities[other].attributes[second].name = names.0
    }

    /// Moves an attribute to a superentity or a subentity.
    mutating func moveAttribute() {
        guard let (entity, place) = anyAttribute() else { return }
        let id = sketch.entities[entity].id
        let others = sketch.entities.indices.filter {
            let other = sketch.entities[$0].id
            return other != id && (sketch.isKind(other, of: id) || sketch.isKind(id, of: other))
        }
        guard !others.isEmpty else { return }
        let attribute = sketch.entities[entity].attributes.remove(at: place)
        sketch.entities[others[random.below(others.count)]].attributes.append(attribute)
    }

    mutating func changeType() {
        guard let (entity, place) = anyAttribute(),
            // The expression reads the older object, so every object must have had the attribute.
            sketch.entities.allSatisfy({ other in
                !sketch.isKind(other.id, of: sketch.entities[entity].id) || old.entity(other.id) == nil
                    || old.isKind(other.id, of: sketch.entities[entity].id)
            })
        else { return }
        let attribute = sketch.entities[entity].attributes[place]
        let changes: [AttributeType: [(AttributeType, SketchConversion?)]] = [
            .int16: [(.int32, nil), (.int64, nil), (.double, nil)],
            .int32: [(.int64, nil), (.double, nil), (.int16, .plain)],
            .int64: [
                (.string, .plain), (.int16, .plain), (.double, .plain), (.int64, .twice), (.string, nil),
                (.decimal(precision: 12, scale: 2), .quarter), (.decimal(precision: 12, scale: 1), .quarter),
                (.double, .quarter),
            ],
            .string: [(.int64, .plain), (.int64, nil)], .url: [(.string, nil)], .float: [(.double, nil)],
            .decimal(precision: 9, scale: 2): [(.decimal(precision: 24, scale: 4), nil)],
        ]
        guard let possible = changes[attribute.type] else { return }
        let (type, conversion) = possible[random.below(possible.count)]
        sketch.entities[entity].attributes[place].type = type
        sketch.entities[entity].attributes[place].defaultValue = nil
        conversions[attribute.id] = conversion
    }

    mutating func toggleOptional() {
        guard let (entity, place) = anyAttribute() else { return }
        let attribute = sketch.entities[entity].attributes[place]
        sketch.entities[entity].attributes[place].isOptional.toggle()
        sketch.entities[entity].attributes[place].defaultValue =
            chance(3, in: 4) ? value(of: attribute.type) : nil
    }

    mutating func toggleIndex() {
        guard let (entity, place) = anyAttribute() else { return }
        sketch.entities[entity].attributes[place].isIndexed.toggle()
    }

    mutating func toggleUnique() {
        guard let (entity, place) = anyAttribute(), sketch.entities[entity].attributes[place].type != .bool
        else { return }
        sketch.entities[entity].attributes[place].isUnique.toggle()
    }

    // MARK: Relationships

    mutating func addAssociation() {
        let (one, other) = (sketch.entities[anyEntity()].id, sketch.entities[anyEntity()].id)
        let first = makeEnd(for: one)
        var second: ModelSketch.End?
        if chance(3, in: 4) {
            second = makeEnd(for: other)
            if second?.name == first.name { return }
        }
        sketch.associations.append(
            ModelSketch.Association(sides: [
                .init(entity: one, end: first), .init(entity: other, end: second),
            ]))
    }

    private mutating func makeEnd(for entity: Int) -> ModelSketch.End {
        let isToMany = chance(1, in: 2)
        return ModelSketch.End(
            id: number(), name: propertyName(for: entity), isToMany: isToMany,
            isOrdered: isToMany && chance(1, in: 3), isOptional: isToMany || chance(5, in: 6))
    }

    mutating func removeEnd() {
        guard let (association, side) = anyEnd() else { return }
        sketch.associations[association].sides[side].end = nil
        if sketch.associations[association].sides.allSatisfy({ $0.end == nil }) {
            sketch.associations.remove(at: association)
        }
    }

    /// Adds an inverse to a relationship without one.
    mutating func addEnd() {
        guard let (association, side) = anyEnd(),
            sketch.associations[association].sides[1 - side].end == nil
        else { return }
        sketch.associations[association].sides[1 - side].end =
            makeEnd(for: sketch.associations[association].sides[1 - side].entity)
    }

    mutating func renameEnd() {
        guard let (association, side) = anyEnd(),
            let end = sketch.associations[association].sides[side].end, end.formerName == nil,
            let place = old.place(ofEnd: end.id),
            old.associations[place.association].sides[place.side].entity
                == sketch.associations[association].sides[side].entity
        else { return }
        let name = propertyName(for: sketch.associations[association].sides[side].entity)
        sketch.associations[association].sides[side].end?.name = name
        sketch.associations[association].sides[side].end?.formerName = end.name
    }

    mutating func toggleToMany() {
        guard let (association, side) = anyEnd() else { return }
        // A change to to-one is refused, so it is tried rarely.
        guard sketch.associations[association].sides[side].end?.isToMany == false || chance(1, in: 5) else {
            return
        }
        sketch.associations[association].sides[side].end?.isToMany.toggle()
        sketch.associations[association].sides[side].end?.isOrdered = false
        sketch.associations[association].sides[side].end?.isOptional = true
    }

    mutating func toggleOrdered() {
        guard let (association, side) = anyEnd(),
            sketch.associations[association].sides[side].end?.isToMany == true
        else { return }
        sketch.associations[association].sides[side].end?.isOrdered.toggle()
    }

    mutating func toggleRequired() {
        guard let (association, side) = anyEnd(),
            sketch.associations[association].sides[side].end?.isToMany == false,
            sketch.associations[association].sides[1 - side].end?.isToMany != false
        else { return }
        sketch.associations[association].sides[side].end?.isOptional.toggle()
    }

    /// Separates two relationships that are each other's inverses, or joins two others.
    mutating func changeInverse() {
        guard let (one, side) = anyEnd() else { return }
        let association = sketch.associations[one]
        if association.sides[1 - side].end != nil {
            var other = association
            sketch.associations[one].sides[1 - side].end = nil
            other.sides[side].end = nil
            sketch.associations.append(other)
        } else {
            let fitting = sketch.associations.indices.first { other in
                other != one && sketch.associations[other].sides[side].end == nil
                    && sketch.associations[other].sides.map(\.entity) == association.sides.map(\.entity)
            }
            guard let fitting else { return }
            sketch.associations[one].sides[1 - side].end = sketch.associations[fitting].sides[1 - side].end
            sketch.associations.remove(at: fitting)
        }
    }

    /// Changes the destination of a relationship to its superentity, or sometimes to any entity.
    mutating func changeDestination() {
        guard let (association, side) = anyEnd() else { return }
        let destination = sketch.associations[association].sides[1 - side].entity
        let next =
            chance(1, in: 6) ? sketch.entities[anyEntity()].id : sketch.entity(destination)?.parent
        guard let next, next != destination else { return }
        sketch.associations[association].sides[1 - side].entity = next
    }
}
