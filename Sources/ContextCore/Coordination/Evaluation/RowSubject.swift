/// A row of a source, for the evaluation of predicates.
struct RowSubject<Source: RowSource>: PredicateSubject {
    let row: StoredRow
    let reader: SharedRowSource<Source>

    var key: Int64 { row.key }
    var entityIndex: Int { row.entityIndex }

    func value(column: Int) throws -> StoredValue { row.value(column) }

    func target(_ hop: RelationshipStep) throws -> RowSubject? {
        guard let column = hop.column, let key = row.reference(column) else { return nil }
        return try reader.subject(key, entityIndex: hop.destinationIndex)
    }

    func members(_ hop: RelationshipStep) throws -> [RowSubject] {
        try reader.source.links(of: row.key, entityIndex: row.entityIndex, slot: hop.slot).compactMap {
            try reader.subject($0.target, entityIndex: hop.destinationIndex)
        }
    }
}

/// A reference to a source that many subjects share, because the source may be expensive to copy.
final class SharedRowSource<Source: RowSource> {
    let source: Source

    init(_ source: Source) { self.source = source }

    func subject(_ key: Int64, entityIndex: Int) throws -> RowSubject<Source>? {
        try source.row(key, entityIndex: entityIndex).map { RowSubject(row: $0, reader: self) }
    }
}
