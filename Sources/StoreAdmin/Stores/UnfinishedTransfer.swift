/// A command that copied objects into a store and didn't finish, so that objects are missing.
enum UnfinishedTransfer: String, Sendable, CaseIterable {
    case copy, `import`, sample

    /// Reads the unfinished command from the metadata that programs keep in a store; nil if the store is complete.
    init?(userInfo info: [String: String]) {
        guard let transfer = Self.allCases.first(where: { info[$0.metadataKey] != nil }) else { return nil }
        self = transfer
    }

    private var metadataKey: String {
        switch self {
        case .copy: DataCopyCommand.unfinishedKey
        case .import: DataImportCommand.unfinishedKey
        case .sample: DataSampleCommand.unfinishedKey
        }
    }

    var message: String {
        let what =
            switch self {
            case .copy: "A copy"
            case .import: "An import"
            case .sample: "A sample"
            }
        return "\(what) into the store was not finished, so objects are missing."
    }

    /// Returns what to do, by the metadata that programs keep in the store.
    func remedy(userInfo info: [String: String]) -> String {
        let drop = "Drop the store with 'storectl db drop', and start again."
        switch self {
        case .copy: return "Continue the copy with 'storectl data copy --resume'."
        // Only an import with --from records its source.
        case .import where info[metadataKey] != DataImportCommand.fileMark:
            return
                "Continue the import with 'storectl data import --resume' and the same arguments. If its source has changed: \(drop)"
        case .import, .sample: return drop
        }
    }
}
