import ContextCore
import Foundation

/// Makes a backup of a store before a migration, or its rollback, loses data.
struct MigrationBackups {
    static let option = OptionDeclaration.option(
        "backup", nil, "WHERE",
        "auto, none, or the path of a new backup. The default auto makes a backup if data is lost.")

    private let call: CommandCall
    private let store: AdministeredStore

    init(_ call: CommandCall, _ store: AdministeredStore) {
        self.call = call
        self.store = store
    }

    /// `auto`, `none`, or the path of a new backup.
    private var wanted: String { call.arguments["backup"] ?? "auto" }

    /// Whether the option gives the path of a backup.
    var hasExplicitPath: Bool { !["auto", "none"].contains(wanted) }

    /// Whether to make a backup before a plan runs: always if the option gives a path, by default only if data is lost.
    func areNeeded(
        before plan: MigrationPlan?, _ state: MigrationState, through phase: MigrationPhase
    ) -> Bool {
        // While a migration blocks other programs, the store is between two versions. Its backup was made before the migration started.
        let isShared = phase == .contract && state.run?.isShared == true
        switch wanted {
        case "none": return false
        case "auto": return plan?.losses.isEmpty == false || isShared && state.run?.losses.isEmpty == false
        default: return plan?.isEmpty == false || isShared
        }
    }

    /// Whether to make a backup before a rollback, which drops what programs of the newer version have saved in its new properties.
    func areNeeded(beforeRollbackOf state: MigrationState, accepting losses: Set<String>) -> Bool {
        guard state.run?.isShared == true else { return false }
        switch wanted {
        case "none": return false
        // A rollback that loses data requires that the losses are accepted.
        case "auto": return !losses.isEmpty
        default: return true
        }
    }

    /// Makes a backup and returns its path.
    ///
    /// - Parameters:
    ///   - precedesRollback: Whether the backup precedes a rollback, which drops what the newer version has added.
    ///   - number: The number of the backup in this call, from 1; a call may run several migrations that each lose data.
    func make(of state: MigrationState, precedesRollback: Bool = false, number: Int = 1) throws -> String {
        let folder = BackupFolder(call)
        let place =
            wanted == "auto"
            ? folder.newPath(for: store, CivilTime(date: Date()).text)
            : call.tool.environment.resolved(wanted)
        var path = NumberedPath.path(place, number)
        var next = number
        // Another process may have made a backup within the same second.
        while wanted == "auto", FileManager.default.fileExists(atPath: path) {
            next += 1
            path = NumberedPath.path(place, next)
        }
        call.output.info("backing up to \(path)")
        // The data that an unfinished migration will drop is only in the older model.
        let isOlder = state.run != nil && !precedesRollback
        let older = try isOlder ? state.models.dropLast().last?.model() : nil
        let creation = try BackupCreation(
            store: store, backend: call.tool.fileBackend(), path: path, output: call.output, model: older,
            stopRequest: call.stopRequest)
        _ = try wanted == "auto" ? folder.withFolder(creation.make) : creation.make()
        return path
    }
}
