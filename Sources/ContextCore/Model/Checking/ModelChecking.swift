/// Checks a model and reports all of its problems.
///
/// Some declarations look wrong but are valid:
/// - A to-one relationship without an inverse. Deleting its destination doesn't change it in memory; the store rejects a save that
///   would leave a dangling reference.
/// - A cycle of required to-one relationships. Keys are assigned before rows are written, and stores check references at the end of
///   a transaction, so such objects are saved together.
/// - A required to-one relationship whose inverse nullifies. A save that leaves it nil fails, like any save that leaves
///   a required property nil.
/// - An abstract entity without subentities, unless a relationship requires an object of it.
struct ModelChecking {
    let hierarchy: EntityHierarchy
    let inverses: InverseResolution
    /// The transformers of the model; nil to work with stored forms only, without checking transformers.
    let transformers: [any AttributeTransformer]?

    func check(_ problems: inout ModelProblems) {
        NameChecking(hierarchy: hierarchy, inverses: inverses).check(&problems)
        ClassChecking(hierarchy: hierarchy).check(&problems)
        let attributes = AttributeChecking(transformers: transformers)
        let derivations = DerivationChecking(hierarchy: hierarchy, inverses: inverses)
        for (index, entity) in hierarchy.entities.enumerated() {
            for attribute in entity.attributes {
                attributes.check(attribute, of: entity.name, &problems)
                derivations.check(attribute, of: index, &problems)
            }
        }
        RelationshipChecking(hierarchy: hierarchy, inverses: inverses).check(&problems)
        ConstraintChecking(hierarchy: hierarchy).check(&problems)
    }
}
