import ContextCore
import Foundation

/// Runs a whole migration on a copy of a store or on a part of it, and compares.
///
/// The store itself is only read, at one moment. The copy stands beside it and is removed afterwards, whatever becomes of the migration.
struct MigrationRehearsal {
    let call: CommandCall
    let store: AdministeredStore
    let versions: ModelVersions
    /// The version at which the copy is to end; nil for the last.
    let version: String?
    /// How many objects of each entity are copied, beside those that they lead to; nil for all.
    let rows: Int?
    let seed: Int

    struct Result {
        let outcome: MigrationOutcome
        let entities: [RehearsalComparison.Entity]
        /// In what the migrated copy breaks its model, and in what its tables differ from it.
        let findings: [StoreFinding]
        let drift: [String]
        /// How long the migration of the copy took.
        let duration: Duration
    }

    func run() throws -> Result {
        let place = try RehearsalPlace(of: store)
        defer {
            if let left = place.remove() {
                call.output.message("The copy \(left) can't be removed. Remove it by hand.\n")
            }
        }
        try place.prepare()
        let progress = ProgressLine(call.output)
        defer { progress.finish() }
        let model = try store.model()
        return try sourceWithoutDeadline.read("rehearsal", model: model) { session, model in
            let sample = try rows.map {
                try StoreSample(session, model, entities: model.layouts, rows: $0, seed: seed)
            }
            try place.store.write(model: model) { coordinator in
                try StoreCopy(
                    source: session, destination: coordinator, model: model, sample: sample,
                    progress: progress.tell, betweenBatches: { try checkStopping() }
                ).copy()
            }
            let start = ContinuousClock.now
            let outcome = try place.store.backend.migrate(place.store.url, to: versions, options)
            let duration = start.duration(to: .now)
            return try compare(session, sample, place.store, model, outcome, duration, progress)
        }
    }

    private func compare(
        _ session: any ReadSession, _ sample: StoreSample?, _ copy: AdministeredStore, _ model: ObjectModel,
        _ outcome: MigrationOutcome, _ duration: Duration, _ progress: ProgressLine
    ) throws -> Result {
        let migrator = try copy.backend.migrator(of: copy.url)
        defer { migrator.close() }
        let drift = try migrator.drift()
        guard let trace = MigrationTrace(try versions.transitions(from: model, to: version)) else {
            return Result(outcome: outcome, entities: [], findings: [], drift: drift, duration: duration)
        }
        return try copy.read("rehearsal") { migrated, newer in
            var checking = StoreChecking(
                session: migrated, model: newer,
                kinds: sample == nil ? Set(StoreFinding.Kind.allCases) : StoreFinding.Kind.ofSamples,
                limit: 100, progress: progress.tell)
            try checking.check(newer.layouts)
            let comparison = RehearsalComparison(
                source: session, copy: migrated, trace: trace, sample: sample,
                progress: { name, done, all in
                    try checkStopping()
                    progress.tell(name, done, of: all)
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
            let interruption = call.interruption
            options.isCancelled = { interruption.isWanted }
            return options
        }
    }

    private func checkStopping() throws {
        try call.interruption.checkBeforeEnd(of: "the rehearsal")
    }

    /// The store, read by a session that may have nothing to do for as long as the copy is migrated.
    private var sourceWithoutDeadline: AdministeredStore {
        let key = "idle_in_transaction_session_timeout"
        guard store.backend.optionKeys.contains(key) else { return store }
        return AdministeredStore(
            name: store.name, url: store.url.replacing([key: "none"]), backend: store.backend,
            isProduction: store.isProduction)
    }
}

/// Where the copy of a rehearsal is: in a folder beside the store's file, or in a schema of its own in the store's database.
struct RehearsalPlace {
    let store: AdministeredStore
    /// The folder of the copy; nil where it isn't a file.
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
                .unsupportedRequest, "A store of \(source.backend.name) has no place beside it for a copy.",
                remedy: "Copy it with “storectl data copy”, and migrate the copy.")
        }
        store = AdministeredStore(name: nil, url: url, backend: source.backend, isProduction: false)
    }

    func prepare() throws {
        guard let folder else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        } catch {
            throw StoreError(
                .inputOutput, "The folder “\(folder)” for the copy can't be made.",
                remedy: "Check that the folder of the store may be written.", cause: error)
        }
    }

    /// Removes the copy; answers where it is if it can't be removed.
    func remove() -> String? {
        do {
            if let folder {
                // It may never have been made.
                guard FileManager.default.fileExists(atPath: folder) else { return nil }
                try FileManager.default.removeItem(atPath: folder)
            } else {
                try store.maintain { try $0.drop() }
            }
            return nil
        } catch let error as StoreError where [.notAStore, .storeNotFound].contains(error.code) {
            // It was not begun.
            return nil
        } catch {
            return folder ?? store.url.description
        }
    }
}
