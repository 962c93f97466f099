import ContextCore
import Foundation

/// Backs a store up before a migration, or taking one back, loses something.
struct MigrationBackups {
    static let option = OptionDeclaration.option(
        "backup", nil, "WHERE",
        "auto, none, or a new file. auto, which holds unless given, makes one where something is lost.")

    private let call: CommandCall
    private let store: AdministeredStore

    init(_ call: CommandCall, _ store: AdministeredStore) {
        self.call = call
        self.store = store
    }

    /// `auto`, `none`, or a new file.
    private var wanted: String { call.arguments["backup"] ?? "auto" }

    /// Whether somebody has said where a backup is to be.
    var areNamed: Bool { !["auto", "none"].contains(wanted) }

    /// Whether anything is lost, so that a backup is made unless somebody says otherwise; or whether somebody wants one.
    func areNeeded(
        before plan: MigrationPlan?, _ state: MigrationState, through phase: MigrationPhase
    ) -> Bool {
        // While a migration keeps everybody out, there is nothing whole to be copied; that was done before it began.
        let isShared = phase == .contract && state.run?.isShared == true
        switch wanted {
        case "none": return false
        case "auto": return plan?.losses.isEmpty == false || isShared && state.run?.losses.isEmpty == false
        default: return plan?.isEmpty == false || isShared
        }
    }

    /// The same before a migration is taken back: only programs of the newer version may have kept something in what goes.
    func areNeeded(beforeTakingBack state: MigrationState, accepting losses: Set<String>) -> Bool {
        guard state.run?.isShared == true else { return false }
        switch wanted {
        case "none": return false
        // Unless what goes is named, nothing is taken back.
        case "auto": return !losses.isEmpty
        default: return true
        }
    }

    /// Makes a backup, and answers where it is.
    ///
    /// - Parameters:
    ///   - isTakenBack: Whether it is what the newer version of a run has added that goes, and not what the older one had.
    ///   - number: Which one of the call it is, from 1: a call may go two ways, and something else is lost on each.
    func make(of state: MigrationState, isTakenBack: Bool = false, number: Int = 1) throws -> String {
        let folder = BackupFolder(call)
        let place =
            wanted == "auto"
            ? folder.newPath(for: store, CivilTime(date: Date()).text)
            : call.tool.surroundings.resolved(wanted)
        var path = NumberedPath.path(place, number)
        var next = number
        // Another call may have made one within the same second.
        while wanted == "auto", FileManager.default.fileExists(atPath: path) {
            next += 1
            path = NumberedPath.path(place, next)
        }
        call.output.note("backing up to \(path)")
        // The newer model of a run that was begun doesn't know what is going to be lost.
        let isOlder = state.run != nil && !isTakenBack
        let older = try isOlder ? state.models.dropLast().last?.model() : nil
        let making = try BackupMaking(
            store: store, backend: call.tool.fileBackend(), path: path, output: call.output, model: older,
            interruption: call.interruption)
        _ = try wanted == "auto" ? folder.during(making.make) : making.make()
        return path
    }
}
