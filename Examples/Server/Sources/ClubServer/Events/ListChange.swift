import ContextCore

/// The JSON of a change of a list: steps, which the client applies one after the other.
struct ListChange<Object: ManagedObject>: Encodable {
    struct Step: Encodable {
        /// What happens: `insert`, `update`, `move` or `delete`.
        let action: String
        /// The row after the step, or for a deletion before it.
        let row: Int
        /// The row before a move.
        var from: Int?
        /// The object, if it is new or has changed.
        var object: SnapshotBody<Object>?
    }

    let steps: [Step]

    init(_ change: RowsDifference<Object>) {
        steps = change.steps.compactMap { step in
            Self.step(step, step.objectID.flatMap { change.rows[$0] }.map { SnapshotBody($0) })
        }
    }

    private static func step(_ step: ResultsStep, _ object: SnapshotBody<Object>?) -> Step? {
        switch step {
        case .insert(_, let place): Step(action: "insert", row: place.row, object: object)
        case .update(_, let place): Step(action: "update", row: place.row, object: object)
        case .move(_, let old, let new): Step(action: "move", row: new.row, from: old.row, object: object)
        case .delete(_, let place): Step(action: "delete", row: place.row)
        // A list without sections has one section, which no step inserts or deletes.
        case .insertSection, .deleteSection: nil
        }
    }
}
