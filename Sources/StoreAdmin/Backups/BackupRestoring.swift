import ContextCore
import Foundation

/// Puts a backup into the place of a store.
struct BackupRestoring {
    /// What the name of a file ends in that is about to take the store's place.
    static let ending = ".restoring"

    let backup: StoreBackup
    let store: AdministeredStore
    let backend: StoreBackend
    let output: Output

    func restore() throws {
        let source = try backup.opened(with: backend)
        if store.backend.schemes == backend.schemes {
            try restoreFile(source, isThere: try store.modelIfThere() != nil)
        } else {
            try restoreObjects(source)
        }
    }

    /// A file takes another's place at once, or not at all.
    private func restoreFile(_ source: AdministeredStore, isThere: Bool) throws {
        let path = store.url.path
        let part = path + Self.ending
        try? FileManager.default.removeItem(atPath: part)
        try copy(source) { try $0.copy(to: part) }
        do {
            if isThere {
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
                throw AdminError.configuration("\(store.backend.name) can't copy a store as a whole.")
            }
            try body(copier)
        }
    }

    /// A log without its file would be taken for the new file's.
    private func moveIntoPlace(_ part: String, _ path: String) throws {
        for other in [path, path + "-wal", path + "-journal"]
        where FileManager.default.fileExists(atPath: other) {
            throw AdminError.refused(
                "there is a file \(other), which is no store.", hint: "Move it away, or name another store.")
        }
        try FileManager.default.moveItem(atPath: part, toPath: path)
    }

    /// The objects are copied into a place beside the store, and verified; then that takes the store's place at once, or not at all.
    private func restoreObjects(_ source: AdministeredStore) throws {
        try store.inspect { inspector in
            guard let replacer = inspector as? any StoreReplacer else {
                throw AdminError.configuration("\(store.backend.name) can't replace a store as a whole.")
            }
            let place = AdministeredStore(
                name: nil, url: store.url.replacing(try replacer.preparePlace()), backend: store.backend,
                isProduction: false)
            do {
                try copy(source, into: place)
                try replacer.replaceFromPlace()
            } catch {
                try? replacer.removePlace()
                throw error
            }
        }
    }

    private func copy(_ source: AdministeredStore, into place: AdministeredStore) throws {
        try source.read("restore") { session, model in
            try place.take(session, from: source, model, output)
        }
        let found = try place.read("verify") { session, model in
            try StoreDigest(session, model, of: model.layouts, output).total
        }
        guard found == backup.sha256 else {
            throw AdminError(
                code: "SC3012", exit: .failure, message: "the copy is not what the backup is.",
                hint: "Restore again; the backup and the store are as they were.")
        }
    }
}
