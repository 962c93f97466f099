import ContextCore
import Foundation

/// Puts a backup into the place of a store.
struct BackupRestoring {
    let backup: StoreBackup
    let store: AdministeredStore
    let backend: StoreBackend
    let output: Output

    func restore() throws {
        let source = try backup.opened(with: backend)
        let isThere = try store.modelIfThere() != nil
        if store.backend.schemes == backend.schemes {
            try restoreFile(source, isThere: isThere)
        } else {
            try restoreObjects(source, isThere: isThere)
        }
    }

    /// A file takes another's place at once, or not at all.
    private func restoreFile(_ source: AdministeredStore, isThere: Bool) throws {
        let path = store.url.path
        let part = path + ".restoring"
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

    private func restoreObjects(_ source: AdministeredStore, isThere: Bool) throws {
        try source.read("restore") { session, model in
            let info = try source.userInfo(model: model)
            if isThere { try store.maintain { try $0.drop() } }
            try store.write(model: model) { coordinator in
                let progress = Progress(output)
                try StoreCopy(
                    source: session, destination: coordinator, model: model, progress: progress.tell
                ).copy()
                try coordinator.note(info)
            }
        }
        let found = try store.read("verify") { session, model in
            try StoreDigest(session, model, of: model.layouts).total
        }
        guard found == backup.sha256 else {
            throw AdminError(
                code: "SC3012", exit: .failure, message: "the store is not what the backup is.",
                hint: "Restore again; the backup is as it was.")
        }
    }
}
