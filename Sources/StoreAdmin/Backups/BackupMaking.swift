import ContextCore
import Foundation

/// Makes a backup, verifies it, and notes what it is.
///
/// A store in a file is copied by its database. One on a server is copied object by object, and its history stays behind. A backup has
/// its own name only when it is whole: one that was begun and not finished ends in `.part`.
struct BackupMaking {
    /// What the name of one ends in that isn't whole.
    static let ending = ".part"
    /// The code of the error that says that a copy is not what the store is.
    private static let differs = "SC3012"

    let store: AdministeredStore
    let backend: StoreBackend
    let path: String
    let output: Output
    /// What a store on a server is read with; its own model unless one is given.
    var model: ObjectModel?
    /// Whether findings that keep the backup from a server are looked for, and counted in its notes.
    var findsObstacles = false
    /// Asked between batches of objects, and before and after a file is copied.
    var interruption = Interruption.none

    /// Makes the backup.
    ///
    /// - Returns: The backup, and what keeps it from a server where that was looked for.
    func make() throws -> (backup: StoreBackup, obstacles: [String]) {
        try checkAbsence()
        let part = path + Self.ending
        let lock = try BackupLock(of: part)
        defer { withExtendedLifetime(lock) {} }
        // Whoever has just let go of the name may have made the backup.
        try checkAbsence()
        Self.removeFiles(at: part)
        let (digest, obstacles): (StoreDigest, [String]?)
        do {
            (digest, obstacles) = try interruption.heeded {
                let expected = try copy(to: part)
                try interruption.checkBeforeEnd(of: "the backup")
                let digest = try verified(part, expected)
                try interruption.checkBeforeEnd(of: "the backup")
                let obstacles = try findsObstacles ? StoreBackup.obstacles(of: copied(part), output) : nil
                return (digest, obstacles)
            }
        } catch {
            // A copy that isn't what the store is may say why, so it stays. Nothing else is left of a failure.
            if (error as? AdminError)?.code != Self.differs { Self.removeFiles(at: part) }
            throw error
        }
        let backup = StoreBackup(
            path: path, part: part, store: store.title, place: store.place,
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

    /// Gives the copy its name, after its notes: a backup without notes would never be listed.
    private func name(_ backup: StoreBackup, copiedTo part: String) throws {
        let notes = StoreBackup.notes(of: path)
        let sink = try FileSink(notes)
        defer { sink.close() }
        try sink.write(backup.json.text(expanding: 1))
        try sink.finish()
        do {
            try FileManager.default.moveItem(atPath: part, toPath: path)
        } catch {
            try? FileManager.default.removeItem(atPath: notes)
            throw error
        }
    }

    private static func removeFiles(at part: String) {
        for end in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: part + end)
        }
    }

    private func checkAbsence() throws {
        for path in [path, StoreBackup.notes(of: path)] where FileManager.default.fileExists(atPath: path) {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the file \(path) is there already.",
                hint: "Name another with --out.")
        }
    }

    /// Copies the store; answers the digest of what was copied, where it is known.
    private func copy(to part: String) throws -> StoreDigest? {
        let isCopied = try store.inspect { inspector in
            guard let copier = inspector as? any StoreFileCopier else { return false }
            try ProgressLine.during("copying", output) { try copier.copy(to: part) }
            return true
        }
        if isCopied { return nil }
        let copy = AdministeredStore(
            name: nil, url: try StoreBackup.url(of: part).adding("journal", "delete"), backend: backend,
            isProduction: false)
        return try store.read("backup", model: model ?? store.model()) { session, model in
            try copy.take(session, from: store, model, output) {
                try interruption.checkBeforeEnd(of: "the backup")
            }
            return try digest(session, model)
        }
    }

    private func digest(_ session: any ReadSession, _ model: ObjectModel) throws -> StoreDigest {
        try StoreDigest(session, model, of: model.layouts, output) {
            try interruption.checkBeforeEnd(of: "the backup")
        }
    }

    /// The copy as a store that can be read.
    private func copied(_ part: String) throws -> AdministeredStore {
        AdministeredStore(
            name: nil, url: try StoreBackup.url(of: part), backend: backend, isProduction: false)
    }

    private func verified(_ part: String, _ expected: StoreDigest?) throws -> StoreDigest {
        let copy = try copied(part)
        let damage = try copy.damage(output)
        let digest = try copy.read("verify", digest)
        guard damage.isEmpty, expected == nil || expected == digest else {
            throw AdminError(
                code: Self.differs, exit: .failure,
                message: (["the copy is not what the store is."] + damage.prefix(5)).joined(separator: "\n"),
                hint: "Run 'storectl check' on the store; the copy is at \(part).")
        }
        return digest
    }
}

extension StoreCoordinator {
    /// Notes what a program has noted about a store, of this one or another.
    func note(_ userInfo: [String: String]) throws {
        let session = try openWriteSession(SessionOptions(identifier: StoreCopy.author))
        defer { session.end() }
        try session.replaceProgramNotes(by: userInfo)
        _ = try session.commit()
    }
}
