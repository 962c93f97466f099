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

    var remedy: String {
        self == .copy
            ? "Continue the copy with 'storectl data copy --resume'."
            : "Drop the store with 'storectl db drop', and start again."
    }
}
