/// A reference to an object that a row's place depends on.
struct RowReference: Hashable {
    let rootIndex: Int
    let key: Int64
}

/// Collects the related objects whose values were read to determine a row's place.
final class ReferenceRecorder {
    private(set) var references: Set<RowReference> = []

    func record(_ reference: RowReference) { references.insert(reference) }
}

/// A predicate subject that records the related objects that a predicate reads.
struct RecordingSubject: PredicateSubject {
    let subject: ObjectSubject
    let notes: ReferenceRecorder

    var key: Int64 { subject.key }
    var entityIndex: Int { subject.entityIndex }
    private var model: ObjectModel { subject.object.graph.model }

    func value(column: Int) throws -> StoredValue { try subject.value(column: column) }

    func target(_ hop: RelationshipStep) throws -> RecordingSubject? {
        // Also recorded if the object doesn't exist, because it may be inserted again.
        if let column = hop.column, case .int(let key) = try subject.value(column: column) {
            notes.record(
                RowReference(rootIndex: model.layouts[hop.destinationIndex].rootIndex, key: key))
        }
        return try subject.target(hop).map { RecordingSubject(subject: $0, notes: notes) }
    }

    func members(_ hop: RelationshipStep) throws -> [RecordingSubject] {
        let members = try subject.members(hop)
        // Includes members that are marked for deletion, because the deletion may be undone.
        for member in subject.object.graph.loadedCollection(of: subject.object, slot: hop.slot).members {
            notes.record(RowReference(rootIndex: member.entity.rootIndex, key: member.key))
        }
        return members.map { RecordingSubject(subject: $0, notes: notes) }
    }
}

/// The dependencies of rows' places on other objects.
struct RowDependencies {
    private var rows: [RowReference: Set<Int64>] = [:]
    private var references: [Int64: Set<RowReference>] = [:]

    /// Returns the rows whose places depend on an object.
    func rows(on reference: RowReference) -> Set<Int64> { rows[reference] ?? [] }

    /// Replaces the dependencies of a row.
    mutating func set(_ new: Set<RowReference>, of row: Int64) {
        let old = references[row] ?? []
        if old == new { return }
        references[row] = new.isEmpty ? nil : new
        for gone in old.subtracting(new) {
            rows[gone]?.remove(row)
            if rows[gone]?.isEmpty == true { rows[gone] = nil }
        }
        for come in new.subtracting(old) { rows[come, default: []].insert(row) }
    }
}
