import ContextCore
import Foundation

/// Makes a backup, verifies it, and writes its metadata.
///
/// The database copies a store in a file. A store on a server is copied object by object, without its history. An unfinished backup
/// has a name that ends in `.part`; a finished and verified one gets its own name.
struct BackupCreation {
    /// The suffix of an unfinished backup's name.
    static let unfinishedSuffix = ".part"
    /// The code of the error for a copy that differs from the store.
    private static let copyDiffersCode = "SC3012"

    let store: AdministeredStore
    let backend: StoreBackend
    let path: String
    let output: Output
    /// The model to read a store on a server with; nil for the store's own.
    var model: ObjectModel?
    /// Whether to look for findings that would prevent restoring the backup onto a server, and count them in the metadata.
    var findsObstacles = false
    /// Checked between batches of objects, and after each of copying and verifying.
    var stopRequest = StopRequest.none

    /// Makes the backup.
    ///
    /// - Returns: The backup, and the findings that would prevent restoring it onto a server, if `findsObstacles` is true.
    func make() throws -> (backup: StoreBackup, obstacles: [String]) {
        try checkAbsence()
        let part = path + Self.unfinishedSuffix
        let lock = try BackupLock(of: part)
        defer { withExtendedLifetime(lock) {} }
        // Another process may have finished a backup with this name just before it released the lock.
        try checkAbsence()
        Self.removeFiles(at: part)
        let (digest, obstacles): (StoreDigest, [String]?)
        do {
            (digest, obstacles) = try stopRequest.withSignalHandlers {
                let expected = try copy(to: part)
                try stopRequest.throwIfRequested(of: "the backup")
                let digest = try verified(part, expected)
                try stopRequest.throwIfRequested(of: "the backup")
                let obstacles = try findsObstacles ? StoreBackup.obstacles(of: copied(part), output) : nil
                return (digest, obstacles)
            }
        } catch {
            // A copy that differs from the store is kept for diagnosis. After other errors the files are removed.
            if (error as? AdminError)?.code != Self.copyDiffersCode { Self.removeFiles(at: part) }
            throw error
        }
        let backup = StoreBackup(
            path: path, part: part, store: store.title, location: store.location,
            date: CivilTime(date: Date()).text,
            digest: digest, findings: obstacles?.count)
        do {
            try name(backup, copiedTo: part)
        } catch {
            Self.removeFiles(at: part)
            throw error
        }
        return (backup, obstacles ?? [])
    }

    /// Writes the metadata, then renames the copy; a backup without metadata would never be listed.
    private func name(_ backup: StoreBackup, copiedTo part: String) throws {
        let metadataPath = StoreBackup.metadataPath(of: path)
        let sink = try FileSink(metadataPath)
        defer { sink.close() }
        try sink.write(backup.json.text(expanding: 1))
        try sink.finish()
        do {
            try FileManager.default.moveItem(atPath: part, toPath: path)
        } catch {
            try? FileManager.default.removeItem(atPath: metadataPath)
            throw error
        }
    }

    private static func removeFiles(at part: String) {
        for end in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: part + end)
        }
    }

    private func checkAbsence() throws {
        for path in [path, StoreBackup.metadataPath(of: path)]
        where FileManager.default.fileExists(atPath: path) {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the file \(path) already exists.",
                hint: "Choose another name with --out.")
        }
    }

    /// Copies the store.
    ///
    /// - Returns: The digest of the copied objects; nil if the database copied the file.
    private func copy(to part: String) throws -> StoreDigest? {
        let isCopied = try store.inspect { inspector in
            guard let copier = inspector as? any StoreFileCopier else { return false }
            try ProgressLine.run("copying", output) { try copier.copy(to: part) }
            return true
        }
        if isCopied { return nil }
        let copy = AdministeredStore(
            name: nil, url: try StoreBackup.url(of: part).adding("journal", "delete"), backend: backend,
            isProduction: false)
        return try store.readAll("backup", model: model ?? store.model()) { session, model in
            try copy.copyContents(session, from: store, model, output) {
                try stopRequest.throwIfRequested(of: "the backup")
            }
            return try digest(session, model)
        }
    }

    private func digest(_ session: any ReadSession, _ model: ObjectModel) throws -> StoreDigest {
        try StoreDigest(session, model, of: model.layouts, output) {
            try stopRequest.throwIfRequested(of: "the backup")
        }
    }

    /// Returns the copy as a store that can be read.
    private func copied(_ part: String) throws -> AdministeredStore {
        AdministeredStore(
            name: nil, url: try StoreBackup.url(of: part), backend: backend, isProduction: false)
    }

    private func verified(_ part: String, _ expected: StoreDigest?) throws -> StoreDigest {
        let copy = try copied(part)
        let damage = try copy.damage(output)
        let digest = try copy.readAll("verify", digest)
        guard damage.isEmpty, expected == nil || expected == digest else {
            throw AdminError(
                code: Self.copyDiffersCode, exit: .failure,
                message: (["the backup differs from the store or is damaged."] + damage.prefix(5))
                    .joined(separator: "\n"),
                hint: "Run 'storectl check' on the store. The unfinished backup is at \(part).")
        }
        return digest
    }
}

extension StoreCoordinator {
    /// Replaces the metadata that programs keep in this store.
    func replaceUserInfo(_ userInfo: [String: String]) throws {
        let session = try openWriteSession(SessionOptions(identifier: StoreCopy.author))
        defer { session.end() }
        try session.replaceProgramMetadata(by: userInfo)
        _ = try session.commit()
    }
}
