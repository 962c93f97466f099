import ContextCore

/// What the entities and properties of a newer model were, one or more versions ago.
struct MigrationTrace {
    let transitions: [ModelTransition]
    let old: ObjectModel
    let new: ObjectModel

    /// - Returns: nil where there are no transitions.
    init?(_ transitions: [ModelTransition]) {
        guard let first = transitions.first, let last = transitions.last else { return nil }
        self.transitions = transitions
        old = first.from.model
        new = last.to.model
    }

    /// The older entity that a newer one was; nil where it is new.
    func origin(of entity: EntityLayout) -> EntityLayout? {
        transitions.reversed().reduce(entity) { current, transition in
            current.flatMap { transition.difference.matching.entities[$0.name] }
                .flatMap(transition.from.model.layout(named:))
        }
    }

    /// The older property that the objects of an entity had, by their newer entity; nil where they had none.
    func origin(of property: PropertyLayout, in entity: EntityLayout) -> PropertyLayout? {
        var (entity, property) = (entity, property)
        for transition in transitions.reversed() {
            let matching = transition.difference.matching
            let declaring = entity.declaring(property.slot, in: transition.to.model)
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

    /// The older entities with objects of their own that are gone.
    var removed: [EntityLayout] {
        let kept = Set(new.layouts.compactMap { origin(of: $0)?.name })
        return old.layouts.filter { !$0.isAbstract && !kept.contains($0.name) }
    }
}
