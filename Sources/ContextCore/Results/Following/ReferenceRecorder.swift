/// A reference to an object that a row's position depends on.
struct RowReference: Hashable {
    let rootIndex: Int
    let key: Int64
}

/// Collects the related objects whose values determine a row's position.
final class ReferenceRecorder {
    private(set) var references: Set<RowReference> = []

    func record(_ reference: RowReference) { references.insert(reference) }
}

/// A predicate subject that records the related objects that a predicate reads.
struct RecordingSubject: PredicateSubject {
    let subject: ObjectSubject
    let recorder: ReferenceRecorder

    var key: Int64 { subject.key }
    var entityIndex: Int { subject.entityIndex }
    private var model: ObjectModel { subject.object.graph.model }

    func value(column: Int) throws -> StoredValue { try subject.value(column: column) }

    func target(_ hop: RelationshipStep) throws -> RecordingSubject? {
        // Records the reference even if the object doesn't exist, because it may be inserted again.
        if let column = hop.column, case .int(let key) = try subject.value(column: column) {
            recorder.record(
                RowReference(rootIndex: model.layouts[hop.destinationIndex].rootIndex, key: key))
        }
        return try subject.target(hop).map { RecordingSubject(subject: $0, recorder: recorder) }
    }

    func members(_ hop: RelationshipStep) throws -> [RecordingSubject] {
        let members = try subject.members(hop)
        // Includes deleted members, because the deletion may be undone.
        for member in subject.object.graph.loadedCollection(of: subject.object, slot: hop.slot).members {
            recorder.record(RowReference(rootIndex: member.entity.rootIndex, key: member.key))
        }
        return members.map { RecordingSubject(subject: $0, recorder: recorder) }
    }
}

/// The objects that the position of each row depends on, indexed in both directions.
struct RowDependencies {
    private var rows: [RowReference: Set<Int64>] = [:]
    private var references: [Int64: Set<RowReference>] = [:]

    /// Returns the keys of the rows whose positions depend on an object.
    func rows(on reference: RowReference) -> Set<Int64> { rows[reference] ?? [] }

    /// Replaces the dependencies of a row.
    mutating func set(_ new: Set<RowReference>, of row: Int64) {
        let old = references[row] ?? []
        if old == new { return }
        references[row] = new.isEmpty ? nil : new
        for removedReference in old.subtracting(new) {
            rows[removedReference]?.remove(row)
            if rows[removedReference]?.isEmpty == true { rows[removedReference] = nil }
        }
        for addedReference in new.subtracting(old) { rows[addedReference, default: []].insert(row) }
    }
}
