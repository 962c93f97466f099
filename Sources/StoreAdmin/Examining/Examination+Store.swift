import ContextCore
import Foundation

/// The steps that examine the environment of a store, for commands that report on a store as a whole.
extension Examination {
    /// Examines the file or the server of the store.
    mutating func examineEnvironment(of store: AdministeredStore) throws {
        let examined = try store.inspect { try ($0 as? any StoreExaminer)?.examine() ?? [] }
        for result in examined { record(result) }
    }

    /// Reports files of interrupted commands.
    mutating func examineLeftovers(of store: AdministeredStore, _ call: CommandCall) {
        let leftovers = Self.leftovers(of: store, call)
        if !leftovers.isEmpty {
            record(
                StoreExamination(
                    "leftovers",
                    "There are files of unfinished backups or restores: \(leftovers.joined(separator: ", ")).",
                    remedy: "Remove them if no storectl is running."))
        }
    }

    /// Returns the files of unfinished backups and restores.
    private static func leftovers(of store: AdministeredStore, _ call: CommandCall) -> [String] {
        let folder = BackupFolder(call).path
        let parts = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let restoring = store.url.path + BackupRestoration.unfinishedSuffix
        let isFile = store.backend.administration?.pathsAreFiles == true
        return parts.filter { $0.hasSuffix(BackupCreation.unfinishedSuffix) }.sorted().map {
            folder + "/" + $0
        }
            + (isFile && FileManager.default.fileExists(atPath: restoring) ? [restoring] : [])
    }

    /// Compares the store's model with the application's, if the tool contains that.
    mutating func examineApplication(_ model: ObjectModel, _ tool: Tool) {
        if let own = tool.model {
            step("application") {
                if own.fingerprint == model.fingerprint { return "its model is the same as the store's" }
                throw StoreError(
                    .modelMismatch, "The application's model differs from the store's.",
                    remedy: "Run the application's version that matches the store, or migrate the store.")
            }
        }
    }

    /// Reports user-defined objects on the store's tables.
    ///
    /// Objects that affect which rows a query returns or a save changes, such as triggers and policies, need attention.
    mutating func examineUserObjects(of store: AdministeredStore) {
        guard store.backend.migrationSupport != nil, let migrator = try? store.backend.migrator(of: store.url)
        else {
            return
        }
        defer { migrator.close() }
        guard let objects = try? (migrator as? any UserObjectLister)?.userObjects(), !objects.isEmpty else {
            return
        }
        let isHarmful = objects.contains { object in
            ["Triggers that keep", "Row security is", "The rule ", "The policy ", "The trigger "].contains(
                where: object.hasPrefix)
        }
        record(
            StoreExamination(
                "user objects", objects.prefix(3).joined(separator: " "),
                remedy: isHarmful ? "Run 'storectl drift' and check that they are intended." : nil))
    }
}
