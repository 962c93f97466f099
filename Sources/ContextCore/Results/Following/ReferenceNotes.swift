/// An object that a row's place depends on.
struct RowReference: Hashable {
    let rootIndex: Int
    let key: Int64
}

/// Collects the objects that were looked at for a row's place, beside its own.
final class ReferenceNotes {
    private(set) var references: Set<RowReference> = []

    func note(_ reference: RowReference) { references.insert(reference) }
}

/// An object as predicates see it, which notes where they go from there.
struct NotingSubject: PredicateSubject {
    let subject: ObjectSubject
    let notes: ReferenceNotes

    var key: Int64 { subject.key }
    var entityIndex: Int { subject.entityIndex }
    private var model: ObjectModel { subject.object.graph.model }

    func value(column: Int) throws -> StoredValue { try subject.value(column: column) }

    func target(_ hop: ResolvedHop) throws -> NotingSubject? {
        // An object that isn't there may come back.
        if let column = hop.column, case .int(let key) = try subject.value(column: column) {
            notes.note(
                RowReference(rootIndex: model.layouts[hop.destinationIndex].rootIndex, key: key))
        }
        return try subject.target(hop).map { NotingSubject(subject: $0, notes: notes) }
    }

    func members(_ hop: ResolvedHop) throws -> [NotingSubject] {
        let members = try subject.members(hop)
        // One that is to be deleted may come back.
        for member in subject.object.graph.loadedCollection(of: subject.object, slot: hop.slot).members {
            notes.note(RowReference(rootIndex: member.entity.rootIndex, key: member.key))
        }
        return members.map { NotingSubject(subject: $0, notes: notes) }
    }
}

/// Which rows' places depend on which objects.
struct RowDependencies {
    private var rows: [RowReference: Set<Int64>] = [:]
    private var references: [Int64: Set<RowReference>] = [:]

    /// The rows whose places depend on an object.
    func rows(on reference: RowReference) -> Set<Int64> { rows[reference] ?? [] }

    /// Notes what a row's place depends on now.
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
