import ContextCore

/// Finds objects that have the same values of a unique constraint, in entities that share it too.
struct DuplicateSearch {
    /// The object that had some values first, for each constraint.
    private var seen: [UniqueColumns: [[StoredValue]: String]] = [:]

    mutating func findings(_ batch: RowBatch, _ row: Int, _ entity: EntityLayout) -> [StoreFinding] {
        var findings: [StoreFinding] = []
        let object = "\(entity.name):\(batch.key(at: row))"
        for constraint in entity.uniqueConstraints {
            let values = constraint.columns.map { batch.value($0, at: row) }
            // Null collides with nothing.
            if values.contains(where: \.isNull) { continue }
            if let other = seen[constraint, default: [:]].updateValue(object, forKey: values), other != object
            {
                findings.append(
                    StoreFinding(
                        kind: .unique, object: object, property: constraint.names.joined(separator: ", "),
                        message: "has the same values as \(other)"))
            }
        }
        return findings
    }
}
