/// Hands a change set to the parent, and deals with what stands in its way.
struct ConflictStage {
    /// How often a save is tried again after its conflicts have been resolved.
    static let attempts = 8

    let graph: ObjectGraph

    /// Returns the save as it was accepted in the end.
    func handOver(_ save: EncodedSave) throws -> EncodedSave {
        var save = save
        for _ in 0..<Self.attempts {
            let receipt = try graph.parent.save(save.changes)
            if receipt.conflicts.isEmpty { return save }
            save = try resolve(receipt.conflicts, of: save)
        }
        throw StoreError(
            .conflict,
            "The objects were changed by somebody else again and again while they were being saved.",
            remedy: "Save again.")
    }

    /// Resolves conflicts as the context's merge policy says, or throws them.
    private func resolve(_ conflicts: [RowConflict], of save: EncodedSave) throws -> EncodedSave {
        let described = try conflicts.map { try ConflictDescription(graph: graph).describe($0) }
        throw StoreError(
            conflicts.contains(where: \.isVersionConflict) ? .conflict : described.first?.code ?? .conflict,
            "Nothing was saved, because somebody else was quicker or objects collide.",
            remedy: "Refresh the objects, or give the context a merge policy.", conflicts: described)
    }
}

extension RowConflict {
    /// Whether somebody else saved or deleted the row in between.
    var isVersionConflict: Bool {
        switch reason {
        case .changed, .deleted: true
        case .duplicate, .missingReference: false
        }
    }
}

extension SaveConflict {
    /// The error code that fits the conflict.
    var code: StoreError.Code {
        switch kind {
        case .changed, .deleted: .conflict
        case .duplicate: .duplicate
        case .missingReference: .missingReference
        }
    }
}
