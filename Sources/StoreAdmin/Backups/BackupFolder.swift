import ContextCore
import Foundation
import Synchronization

/// The folder that backups are in.
struct BackupFolder {
    /// The folder where none is named.
    private static let usual = "Backups"

    static let option = OptionDeclaration.option(
        "folder", nil, "FOLDER", "Where backups are; Backups in the working folder unless given.")

    let path: String

    init(_ call: CommandCall) {
        path = call.tool.surroundings.resolved(call.arguments["folder"] ?? Self.usual)
    }

    /// Does work in the folder, which is made where there is none, for its owner alone.
    ///
    /// A folder that was made for it is removed where the work, and what else is done in the folder meanwhile, leaves nothing in it.
    func during<Value>(_ work: () throws -> Value) throws -> Value {
        let isMade = try Self.made.withLock { made in
            if made[path] == nil, isThere { return false }
            if made[path] == nil { try make() }
            made[path, default: 0] += 1
            return true
        }
        defer { if isMade { endWork() } }
        return try work()
    }

    /// How many pieces of work are going on in folders that this process has made for them, by their paths.
    private static let made = Mutex<[String: Int]>([:])

    private var isThere: Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    private func endWork() {
        Self.made.withLock { made in
            let rest = (made[path] ?? 1) - 1
            made[path] = rest == 0 ? nil : rest
            // A folder with something in it stays.
            if rest == 0 { rmdir(path) }
        }
    }

    private func make() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the folder \(path) can't be made.",
                hint: "Check the path, and whether you may write there.")
        }
    }

    /// The backups in order of their dates, the oldest first; what is no backup is passed over.
    func backups() -> [StoreBackup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }
            .compactMap { try? StoreBackup(readingNotesOf: path + "/" + $0) }
            .sorted { ($0.date, $0.path) < ($1.date, $1.path) }
    }

    /// The backups of a store, the oldest first, and how many more are called alike.
    ///
    /// Folders are shared, and two configurations may call different stores alike; older backups don't say where their store was.
    func backups(of store: AdministeredStore) -> (own: [StoreBackup], others: Int) {
        let named = backups().filter { $0.store == store.title }
        let own = named.filter { $0.place != nil && $0.place == store.place }
        return (own, named.count - own.count)
    }

    /// Finds a backup by its path, or by its name in the folder.
    func backup(_ word: String, _ surroundings: ConfigurationSurroundings) throws -> StoreBackup {
        let path = surroundings.resolved(word)
        let isPath = word.contains("/") || FileManager.default.fileExists(atPath: path)
        return try StoreBackup(readingNotesOf: isPath ? path : self.path + "/" + word)
    }

    /// A path for a new backup: the names of the store and of the tenant, and the time, `prod-acme-20260801T120000Z.sqlite`.
    func newPath(for store: AdministeredStore, _ date: String) -> String {
        let short = store.name == nil ? store.confirmation : store.title
        let name = String(short.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
        let moment = date.prefix { $0 != "." }.filter { $0.isNumber || $0 == "T" }
        return "\(path)/\(name)-\(moment)Z.sqlite"
    }
}
