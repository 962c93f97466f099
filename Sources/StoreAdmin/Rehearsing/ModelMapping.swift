import ContextCore

/// Maps the entities and properties of a newer model to those of an older one, across one or more transitions.
struct ModelMapping {
    let transitions: [ModelTransition]
    let old: ObjectModel
    let new: ObjectModel

    /// Creates the mapping for consecutive transitions, or nil if there are none.
    init?(_ transitions: [ModelTransition]) {
        guard let first = transitions.first, let last = transitions.last else { return nil }
        self.transitions = transitions
        old = first.from.model
        new = last.to.model
    }

    /// Returns the older entity that became a newer one; nil if the entity is new.
    func origin(of entity: EntityLayout) -> EntityLayout? {
        transitions.reversed().reduce(entity) { current, transition in
            current.flatMap { transition.difference.matching.entities[$0.name] }
                .flatMap(transition.from.model.layout(named:))
        }
    }

    /// Returns the older property that became a property of a newer entity; nil if the property is new.
    func origin(of property: PropertyLayout, in entity: EntityLayout) -> PropertyLayout? {
        var (entity, property) = (entity, property)
        for transition in transitions.reversed() {
            let matching = transition.difference.matching
            let declaring = entity.declaringEntity(of: property.slot, in: transition.to.model)
            guard
                let before = matching.entities[entity.name].flatMap(transition.from.model.layout(named:)),
                let older = matching.property(
                    property.name, of: declaring, from: before, in: transition.from.model),
                (older.attribute == nil) == (property.attribute == nil)
            else { return nil }
            (entity, property) = (before, older)
        }
        return property
    }

    /// The entities of the older model that the newer one doesn't have, except abstract ones.
    var removed: [EntityLayout] {
        let kept = Set(new.layouts.compactMap { origin(of: $0)?.name })
        return old.layouts.filter { !$0.isAbstract && !kept.contains($0.name) }
    }
}
