import ContextCore
import Foundation

/// Migrates a copy of a store, or of a sample of it, and compares the result with the store.
///
/// The store itself is only read, in one snapshot. The copy is created next to the store, and removed even if the migration fails.
struct MigrationRehearsal {
    let call: CommandCall
    let store: AdministeredStore
    let versions: ModelVersions
    /// The version to migrate the copy to; nil for the last.
    let version: String?
    /// The number of objects of each entity to copy, in addition to the objects that they refer to; nil for all.
    let rows: Int?
    let seed: Int

    struct Result {
        let outcome: MigrationOutcome
        let entities: [RehearsalComparison.Entity]
        /// The findings of a check of the migrated copy.
        let findings: [StoreFinding]
        /// The differences between the copy's tables and its model.
        let drift: [String]
        /// The duration of the migration, without copying and comparing.
        let duration: Duration
    }

    func run() throws -> Result {
        let location = try RehearsalLocation(of: store)
        defer {
            if let left = location.remove() {
                call.output.message("The copy \(left) can't be removed. Remove it manually.\n")
            }
        }
        try location.prepare()
        let progress = ProgressLine(call.output)
        defer { progress.finish() }
        let model = try store.model()
        return try storeWithoutIdleTimeout.readAll("rehearsal", model: model) { session, model in
            let sample = try rows.map {
                try StoreSample(session, model, entities: model.layouts, rows: $0, seed: seed)
            }
            try location.store.write(model: model) { coordinator in
                try StoreCopy(
                    source: session, destination: coordinator, model: model, sample: sample,
                    progress: progress.report, betweenBatches: { try checkStopping() }
                ).copy()
            }
            let start = ContinuousClock.now
            let outcome = try location.store.backend.migrate(location.store.url, to: versions, options)
            let duration = start.duration(to: .now)
            return try compare(session, sample, location.store, model, outcome, duration, progress)
        }
    }

    private func compare(
        _ session: any ReadSession, _ sample: StoreSample?, _ copy: AdministeredStore, _ model: ObjectModel,
        _ outcome: MigrationOutcome, _ duration: Duration, _ progress: ProgressLine
    ) throws -> Result {
        let migrator = try copy.backend.migrator(of: copy.url)
        defer { migrator.close() }
        let drift = try migrator.drift()
        guard let mapping = ModelMapping(try versions.transitions(from: model, to: version)) else {
            return Result(outcome: outcome, entities: [], findings: [], drift: drift, duration: duration)
        }
        return try copy.readAll("rehearsal") { migrated, newer in
            var checking = StoreChecker(
                session: migrated, model: newer,
                kinds: sample == nil ? Set(StoreFinding.Kind.allCases) : StoreFinding.Kind.sampleKinds,
                limit: 100, progress: progress.report)
            try checking.check(newer.layouts)
            let comparison = RehearsalComparison(
                source: session, copy: migrated, mapping: mapping, sample: sample,
                progress: { name, done, all in
                    try checkStopping()
                    progress.report(name, done, of: all)
                })
            return Result(
                outcome: outcome, entities: try comparison.entities(), findings: checking.findings,
                drift: drift, duration: duration)
        }
    }

    private var options: MigrationOptions {
        get throws {
            var options = MigrationOptions()
            options.version = version
            options.acceptedLosses = Set(try call.arguments.list("accept-loss") ?? [])
            let stopRequest = call.stopRequest
            options.isCancelled = { stopRequest.isRequested }
            return options
        }
    }

    private func checkStopping() throws {
        try call.stopRequest.throwIfRequested(of: "the rehearsal")
    }

    /// The store without an idle timeout, because the session that reads it is idle while the copy is migrated.
    private var storeWithoutIdleTimeout: AdministeredStore {
        let key = "idle_in_transaction_session_timeout"
        guard store.backend.optionKeys.contains(key) else { return store }
        return AdministeredStore(
            name: store.name, url: store.url.replacing([key: "none"]), backend: store.backend,
            isProduction: store.isProduction)
    }
}

/// The location of a rehearsal's copy: a folder next to the store's file, or a separate schema in the store's database.
struct RehearsalLocation {
    let store: AdministeredStore
    /// The folder of the copy; nil if the copy isn't a file.
    private let folder: String?

    init(of source: AdministeredStore) throws {
        let id = UUID().uuidString.prefix(8).lowercased()
        let administration = source.backend.administration
        var url: StoreURL?
        if administration?.pathsAreFiles == true {
            let folder = "\(source.url.path).rehearsal-\(id)"
            self.folder = folder
            url = source.url.replacingPath("\(folder)/store.sqlite")
        } else {
            folder = nil
            url = administration?.scratchOptions.map { source.url.replacing($0("rehearsal_\(id)")) }
        }
        guard let url else {
            throw StoreError(
                .unsupportedRequest,
                "The \(source.backend.name) backend can't make a copy next to the store for a rehearsal.",
                remedy: "Copy the store with 'storectl data copy', and migrate the copy.")
        }
        store = AdministeredStore(name: nil, url: url, backend: source.backend, isProduction: false)
    }

    func prepare() throws {
        guard let folder else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        } catch {
            throw StoreError(
                .inputOutput, "The folder “\(folder)” for the copy can't be created.",
                remedy: "Check your permission to write to the folder of the store.", cause: error)
        }
    }

    /// Removes the copy.
    ///
    /// - Returns: The location of the copy if it can't be removed; otherwise nil.
    func remove() -> String? {
        do {
            if let folder {
                // The rehearsal may have failed before it created the folder.
                guard FileManager.default.fileExists(atPath: folder) else { return nil }
                try FileManager.default.removeItem(atPath: folder)
            } else {
                try store.maintain { try $0.drop() }
            }
            return nil
        } catch let error as StoreError where [.notAStore, .storeNotFound].contains(error.code) {
            // The rehearsal failed before it created the copy.
            return nil
        } catch {
            return folder ?? store.url.description
        }
    }
}
