/// Refuses a model that can't work, with everything that is wrong with it.
///
/// What it lets through, where one might expect otherwise:
/// - A to-one relationship without an inverse. Nothing in memory follows a deletion at its other end; a store refuses to save a
///   deletion that would leave it dangling.
/// - Required to-one relationships in a circle: keys are known before rows are written, and stores check references when a
///   transaction ends, so such objects are saved together.
/// - A required to-one relationship whose inverse nullifies: a save that leaves it empty is refused, as any save is that leaves
///   a required property empty.
/// - An abstract entity without subentities, as long as no other needs an object of it.
struct ModelChecking {
    let hierarchy: EntityHierarchy
    let inverses: InverseResolution
    /// What the model was given; nil where the stored forms alone are wanted, and transformers may be missing.
    let transformers: [any AttributeTransformer]?

    func check(_ problems: inout ModelProblems) {
        NameChecking(hierarchy: hierarchy, inverses: inverses).check(&problems)
        ClassChecking(hierarchy: hierarchy).check(&problems)
        let attributes = AttributeChecking(transformers: transformers)
        let derivations = DerivationChecking(hierarchy: hierarchy)
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
