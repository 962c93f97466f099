/// What was begun to fill a store with objects and has not come to its end, so that some of them are missing.
enum UnfinishedFilling: String, Sendable, CaseIterable {
    case copy, `import`, sample

    /// Finds it in what programs have noted about a store; nil where the store is whole.
    init?(noted info: [String: String]) {
        guard let filling = Self.allCases.first(where: { info[$0.note] != nil }) else { return nil }
        self = filling
    }

    private var note: String {
        switch self {
        case .copy: DataCopyCommand.sourceNote
        case .import: DataImportCommand.note
        case .sample: DataSampleCommand.note
        }
    }

    var message: String {
        let what =
            switch self {
            case .copy: "A copy"
            case .import: "An import"
            case .sample: "A sample"
            }
        return "\(what) into the store was stopped before its end."
    }

    var remedy: String {
        self == .copy
            ? "Go on with 'storectl data copy --resume'."
            : "Remove the store with 'storectl db drop', and begin again."
    }
}
