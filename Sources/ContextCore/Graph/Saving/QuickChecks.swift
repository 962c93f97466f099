/// What has to be looked at in each object of an entity, so that most objects are found to keep their rules by one walk over
/// their overlays.
struct QuickChecks {
    private struct Check {
        let slot: Int
        /// How an attribute's value is looked at; nil for a relationship.
        let value: QuickCheck?
        /// Whether a to-one relationship has to lead somewhere.
        let isReference: Bool
        /// Whether an object that says nothing of it, and has no row, keeps the rules.
        let mayBeMissing: Bool
    }

    private let checks: [Check]

    init(_ properties: [PropertyLayout]) {
        checks = properties.map { property in
            Check(
                slot: property.slot, value: property.validation?.quick,
                isReference: property.relationship?.description.isToMany == false,
                mayBeMissing: property.validation?.quick.isOptional == true && !property.columns.isEmpty)
        }
    }

    /// Whether an object certainly keeps its rules; where that takes more than a look, it is not said.
    func accept(_ object: ManagedObject) -> Bool {
        let isNew = object.state == .inserted
        guard let overlay = object.overlay else { return !isNew }
        for check in checks {
            switch overlay.slots[check.slot] {
            case .value(let value):
                guard let quick = check.value, quick.accepts(value) else { return false }
            case .object(let target):
                // A fault may be gone in a context above.
                guard check.isReference, let target, target.isKept, !target.isFault else { return false }
            case .unchanged, .settled:
                if isNew, !check.mayBeMissing || object.row >= 0 { return false }
            case .collection: return false
            }
        }
        return true
    }
}
