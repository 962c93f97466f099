import ContextCore
import Foundation

/// Replaces a store with a backup, atomically.
struct BackupRestoration {
    /// The suffix of the copy that is about to replace the store's file.
    static let unfinishedSuffix = ".restoring"

    let backup: StoreBackup
    let store: AdministeredStore
    let backend: StoreBackend
    let output: Output

    func restore() throws {
        let source = try backup.opened(with: backend)
        if store.backend.schemes == backend.schemes {
            try restoreFile(source, exists: try store.modelIfExists() != nil)
        } else {
            try restoreObjects(source)
        }
    }

    /// Copies the backup beside the store's file, then replaces the store atomically.
    private func restoreFile(_ source: AdministeredStore, exists: Bool) throws {
        let path = store.url.path
        let part = path + Self.unfinishedSuffix
        try? FileManager.default.removeItem(atPath: part)
        try copy(source) { try $0.copy(to: part) }
        do {
            if exists {
                try copy(store) { try $0.replace(with: part) }
            } else {
                try moveIntoPlace(part, path)
            }
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
    }

    private func copy(_ store: AdministeredStore, _ body: (any StoreFileCopier) throws -> Void) throws {
        try store.inspect { inspector in
            guard let copier = inspector as? any StoreFileCopier else {
                throw AdminError.configuration(
                    "the \(store.backend.name) backend can't copy a whole store.",
                    hint: "Copy its objects with 'storectl data copy'.")
            }
            try body(copier)
        }
    }

    /// Moves the copy to the path of a store that doesn't exist.
    ///
    /// - Throws: ``AdminError`` if the path has a file, or a log or journal, which the database would apply to the new file.
    private func moveIntoPlace(_ part: String, _ path: String) throws {
        for other in [path, path + "-wal", path + "-journal"]
        where FileManager.default.fileExists(atPath: other) {
            throw AdminError.refused(
                "the file \(other) exists and is not a store.", hint: "Move it away, or name another store.")
        }
        try FileManager.default.moveItem(atPath: part, toPath: path)
    }

    /// Copies the objects into a new store beside the store and verifies them, then replaces the store atomically.
    private func restoreObjects(_ source: AdministeredStore) throws {
        try store.inspect { inspector in
            guard let replacer = inspector as? any StoreReplacer else {
                throw AdminError.configuration(
                    "the \(store.backend.name) backend can't replace a store.",
                    hint: "Restore the backup into a SQLite file or onto a PostgreSQL server.")
            }
            let stagingStore = AdministeredStore(
                name: nil, url: store.url.replacing(try replacer.prepareStagingArea()),
                backend: store.backend,
                isProduction: false)
            do {
                try copy(source, into: stagingStore)
                try replacer.replaceFromStagingArea()
            } catch {
                try? replacer.removeStagingArea()
                throw error
            }
        }
    }

    private func copy(_ source: AdministeredStore, into stagingStore: AdministeredStore) throws {
        try source.readAll("restore") { session, model in
            try stagingStore.copyContents(session, from: source, model, output)
        }
        let found = try stagingStore.readAll("verify") { session, model in
            try StoreDigest(session, model, of: model.layouts, output).total
        }
        guard found == backup.sha256 else {
            throw AdminError(
                code: "SC3012", exit: .failure, message: "the restored copy differs from the backup.",
                hint: "Restore again. The backup and the store are unchanged.")
        }
    }
}
