/// The fast validation of an entity, which accepts most valid objects in one pass over their overlays.
struct QuickChecks {
    struct Check {
        /// The check of an attribute's value; nil for a relationship.
        let value: QuickCheck?
        /// Whether the property is a to-one relationship.
        let isReference: Bool
        /// Whether a new object is valid without a value.
        let mayBeMissing: Bool
    }

    /// The checks by slot; nil for slots without a check.
    private(set) var checks: [Check?] = []

    init(_ properties: [PropertyLayout], slotCount: Int) {
        checks = Array(repeating: nil, count: slotCount)
        for property in properties {
            checks[property.slot] = Check(
                value: property.validation?.quick,
                isReference: property.relationship?.description.isToMany == false,
                mayBeMissing: property.validation?.quick.isOptional == true && !property.columns.isEmpty)
        }
    }
}
