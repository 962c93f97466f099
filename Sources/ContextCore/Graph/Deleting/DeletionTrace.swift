/// The causes of deletions and of cleared references, as values, for tools that explain what a save did.
///
/// A context records them only if a tool asks for it (``ObjectContext/tracesDeletions``).
package struct DeletionTrace: Sendable {
    /// The key of an object in its inheritance tree.
    package struct Address: Sendable, Hashable {
        package let rootIndex: Int
        package let key: Int64

        package init(rootIndex: Int, key: Int64) {
            self.rootIndex = rootIndex
            self.key = key
        }
    }

    /// The deleted object whose delete rule was applied, and the relationship with that rule.
    package struct Cause: Sendable, Hashable {
        package let entityIndex: Int
        package let key: Int64
        package let slot: Int
    }

    /// A reference or a link to a deleted object that the delete rule `nullify` cleared.
    package struct Nullification: Sendable, Hashable {
        package let entityIndex: Int
        package let key: Int64
        /// The slot of the cleared relationship.
        package let slot: Int
        package let cause: Cause
    }

    /// The cause of each object that a cascade deleted.
    package private(set) var causes: [Address: Cause] = [:]
    /// The cleared references, in the order of the deletions.
    ///
    /// They include references of objects that are deleted later.
    package private(set) var nullifications: [Nullification] = []
    /// The number of causes above which those of dependents that are not loaded are omitted, because there may be millions.
    private static let unloadedLimit = 10_000

    /// Whether the causes of dependents that are not loaded are still recorded.
    var recordsUnloaded: Bool { causes.count < Self.unloadedLimit }

    /// Records the objects that a cascade deletes; the first cause of an object stays.
    mutating func recordCascade(to dependents: [ManagedObject], from owner: ManagedObject, _ slot: Int) {
        let cause = Cause(entityIndex: owner.entityIndex, key: owner.key, slot: slot)
        for dependent in dependents where !dependent.isDeleted {
            record(cause, of: dependent.key, rootIndex: dependent.rootIndex)
        }
    }

    /// Records the cause of the deletion of an object; the first one stays.
    mutating func record(_ cause: Cause, of key: Int64, rootIndex: Int) {
        let address = Address(rootIndex: rootIndex, key: key)
        if causes[address] == nil { causes[address] = cause }
    }

    /// Records a cleared reference, unless only the inverse of the owner's own reference was cleared, which no store contains.
    mutating func recordNullification(
        of target: ManagedObject, _ relationship: RelationshipLayout, from owner: ManagedObject, _ slot: Int
    ) {
        guard let inverse = relationship.inverseSlot,
            !relationship.inverseIsToMany || relationship.isManyToMany
        else { return }
        nullifications.append(
            Nullification(
                entityIndex: target.entityIndex, key: target.key, slot: inverse,
                cause: Cause(entityIndex: owner.entityIndex, key: owner.key, slot: slot)))
    }
}

extension ObjectContext {
    /// Whether the context records the causes of deletions; setting it starts with an empty record.
    package var tracesDeletions: Bool {
        get { graph.deletionTrace != nil }
        set { graph.deletionTrace = newValue ? DeletionTrace() : nil }
    }

    /// The causes of deletions and of cleared references so far.
    package var deletionTrace: DeletionTrace { graph.deletionTrace ?? DeletionTrace() }
}
