extension ManagedObject: CustomDebugStringConvertible {
    /// The object's identifier and state: `Player/1 (updated: score)`.
    ///
    /// It loads nothing and contains no values, because it may be logged; use ``snapshot()`` for values.
    public final var debugDescription: String { "\(objectID) (\(stateDescription))" }

    private final var stateDescription: String {
        switch state {
        case .inserted: "inserted"
        case .updated: "updated: \(changedPropertyNames.sorted().joined(separator: ", "))"
        case .deleted: "deleted"
        case .detached: "not part of a context"
        case .unchanged: isFault ? "fault" : "unchanged"
        }
    }
}

extension ObjectSnapshot: CustomDebugStringConvertible {
    /// The object's identifier, with its values by name: `Player/1 (game: Game/1, name: "Ann", score: 12)`.
    public var debugDescription: String {
        let values = attributes.mapValues(\.debugDescription)
            .merging(references.mapValues(\.description)) { $1 }
            .merging(collections.mapValues { "[\($0.map(\.description).joined(separator: ", "))]" }) { $1 }
        let list = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(objectID) (\(list.joined(separator: ", ")))"
    }
}

extension EntitySnapshot: CustomDebugStringConvertible {
    /// The object's identifier, with its values by name.
    public var debugDescription: String { objectSnapshot.debugDescription }
}
