import ContextCore

/// Finds objects with the same values for a unique constraint, including objects of other entities that share the constraint.
struct DuplicateSearch {
    /// The first object with each combination of values, by constraint.
    private var seen: [UniqueColumns: [[StoredValue]: String]] = [:]

    mutating func findings(_ batch: RowBatch, _ row: Int, _ entity: EntityLayout) -> [StoreFinding] {
        var findings: [StoreFinding] = []
        let object = "\(entity.name):\(batch.key(at: row))"
        for constraint in entity.uniqueConstraints {
            let values = constraint.columns.map { batch.value($0, at: row) }
            // As in SQL, nulls are distinct.
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
