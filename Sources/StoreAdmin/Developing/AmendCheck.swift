import ContextCore

/// Looks for other stores of the configuration that have a version, which then can't be amended.
///
/// A store that has another model than every frozen version can't be migrated any more.
struct AmendCheck {
    private let call: CommandCall
    private let store: AdministeredStore

    init(_ call: CommandCall, _ store: AdministeredStore) {
        self.call = call
        self.store = store
    }

    /// Throws if another store has the version, or can't be examined.
    ///
    /// An address is examined as one store, without the stores of its tenants.
    func check(_ version: ModelVersion) throws {
        for name in try call.tool.configuration(file: call.arguments["config"]).storeNames {
            do {
                let other = try call.tool.store(name, config: call.arguments["config"])
                let isSame = try isSameStore(other)
                if !isSame, try Self.has(version, other) {
                    throw AdminError.refused(
                        "the store \(name) has \(version.name), so it can't be amended.",
                        hint: "Run the command without --amend, which freezes the next version.")
                }
            } catch let error as AdminError where error.exit == .refused {
                throw error
            } catch let error as StoreError where [.storeNotFound, .notAStore].contains(error.code) {
                continue
            } catch {
                throw AdminError.refused(
                    "\(version.name) can't be amended, because it is unknown whether the store \(name) has it: \(AdminError(error).message)",
                    hint:
                        "Make the store reachable, or run the command without --amend, which freezes the next version."
                )
            }
        }
    }

    private func isSameStore(_ other: AdministeredStore) throws -> Bool {
        try other.url == store.url
            || other.backend.storeIdentity(of: other.url) == store.backend.storeIdentity(of: store.url)
    }

    /// Whether a store has the version, had it, or is being migrated to it.
    private static func has(_ version: ModelVersion, _ store: AdministeredStore) throws -> Bool {
        let state = try store.backend.migrationState(of: store.url)
        let fingerprint = version.model.fingerprint
        return state.models.last?.fingerprint == fingerprint || state.versions[version.name] == fingerprint
            || state.run?.fingerprint == fingerprint
    }
}
