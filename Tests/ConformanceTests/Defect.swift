/// A bug of a faulty store, which violates a requirement of the conformance suite.
enum Defect: String, CaseIterable, Sendable {
    case forgetsLinks, forgetsDeletions, ignoresVersions, reusesKeys, ignoresOrders, putsNullsWrong
    case readsWhatIsNew, keepsWhatIsRolledBack, keepsWhatIsUndone, losesAuthors
    case appliesHalfOfConflicts, namesAnotherRow, letsAllWritersIn, toleratesLooseLinks, placesNewRows
    case bindsConstraintsToOneEntity, forgetsDerivations, changesSubentities, foldsTexts
    case ignoresDates, takesAnyToken, takesFewKeys, ignoresColumns

    /// The topic with a case that must fail.
    var topic: String {
        switch self {
        case .forgetsLinks: "relationships"
        case .forgetsDeletions: "deletion"
        case .ignoresVersions: "merging"
        case .reusesKeys, .keepsWhatIsRolledBack, .keepsWhatIsUndone: "sessions"
        case .ignoresOrders, .putsNullsWrong: "orders"
        case .readsWhatIsNew: "saving"
        case .losesAuthors, .ignoresDates, .takesAnyToken: "history"
        case .appliesHalfOfConflicts, .namesAnotherRow: "atomicity"
        case .letsAllWritersIn: "writers"
        case .toleratesLooseLinks, .placesNewRows: "links"
        case .bindsConstraintsToOneEntity: "trees"
        case .forgetsDerivations, .changesSubentities: "batches"
        case .foldsTexts: "bytes"
        case .takesFewKeys, .ignoresColumns: "scale"
        }
    }
}
