import ContextCore
import Foundation

/// The folder that contains backups.
struct BackupFolder {
    /// The folder that is used without `--folder`.
    private static let defaultName = "Backups"

    static let option = OptionDeclaration.option(
        "folder", nil, "FOLDER", "The folder of the backups. The default is Backups in the working folder.")

    let path: String

    init(_ call: CommandCall) {
        path = call.tool.environment.resolved(call.arguments["folder"] ?? Self.defaultName)
    }

    /// Creates the folder if needed, accessible to its owner only, and runs work that writes to it.
    ///
    /// If this process created the folder, and it is empty when the last running work ends, it is removed.
    func withFolder<Value>(_ work: () throws -> Value) throws -> Value {
        let createdFolder = try Self.runningCalls.withLock { runningCalls in
            if runningCalls[path] == nil, exists { return false }
            if runningCalls[path] == nil { try create() }
            runningCalls[path, default: 0] += 1
            return true
        }
        defer { if createdFolder { endWork() } }
        return try work()
    }

    /// The number of running calls of ``withFolder(_:)`` for each folder that this process has created, by path.
    private static let runningCalls = Guarded<[String: Int]>([:])

    private var exists: Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    private func endWork() {
        Self.runningCalls.withLock { runningCalls in
            let rest = (runningCalls[path] ?? 1) - 1
            runningCalls[path] = rest == 0 ? nil : rest
            // This fails if the folder isn't empty.
            if rest == 0 { rmdir(path) }
        }
    }

    private func create() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the folder \(path) can't be created.",
                hint: "Check the path, and your permission to write there.")
        }
    }

    /// Returns the backups from the oldest to the newest, ignoring files that aren't backups.
    func backups() -> [StoreBackup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }
            .compactMap { try? StoreBackup(readingMetadataOf: path + "/" + $0) }
            .sorted { ($0.date, $0.path) < ($1.date, $1.path) }
    }

    /// Returns the backups of a store from the oldest to the newest, and the number of other stores' backups with the same name.
    ///
    /// Stores of several configurations may share a folder and a name. Metadata of older versions doesn't contain the store's location, so
    /// a backup without one counts as another store's.
    func backups(of store: AdministeredStore) -> (own: [StoreBackup], others: Int) {
        let named = backups().filter { $0.store == store.title }
        let own = named.filter { $0.location != nil && $0.location == store.location }
        return (own, named.count - own.count)
    }

    /// Returns the backup with a path, or with a file name in the folder.
    func backup(_ word: String, _ environment: ConfigurationEnvironment) throws -> StoreBackup {
        let path = environment.resolved(word)
        let isPath = word.contains("/") || FileManager.default.fileExists(atPath: path)
        return try StoreBackup(readingMetadataOf: isPath ? path : self.path + "/" + word)
    }

    /// Returns the path of a new backup, named after the store, the tenant, and the time: `prod-acme-20260801T120000Z.sqlite`.
    func newPath(for store: AdministeredStore, _ date: String) -> String {
        let short = store.name == nil ? store.confirmation : store.title
        let name = String(short.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
        let timestamp = date.prefix { $0 != "." }.filter { $0.isNumber || $0 == "T" }
        return "\(path)/\(name)-\(timestamp)Z.sqlite"
    }
}
