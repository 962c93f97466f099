import ContextCore
import Foundation

/// A backup: a store in a SQLite file, with metadata in a JSON file beside it.
struct StoreBackup: Sendable, Equatable {
    /// The name of the metadata's schema.
    static let schema = "storectl.backup/1"

    /// The path of the SQLite file.
    let path: String
    /// The name of the store that was backed up.
    let store: String
    /// The location of that store, without credentials; nil in a backup by an older version, which didn't record it.
    let location: String?
    /// The time at which the backup was made.
    let date: String
    let objects: Int
    let bytes: Int64
    /// The digest of the objects, as `data checksum` prints it.
    let sha256: String
    /// The number of findings that prevent restoring the backup onto a server; nil if the command that made it didn't check.
    let findings: Int?

    /// Returns the path of a backup's metadata.
    static func metadataPath(of path: String) -> String { path + ".json" }

    /// Creates the description of a new backup.
    ///
    /// - Parameter part: The current path of the SQLite file, before it is moved to `path`.
    init(
        path: String, part: String, store: String, location: String?, date: String, digest: StoreDigest,
        findings: Int?
    ) {
        self.path = path
        self.store = store
        self.location = location
        self.date = date
        objects = digest.entities.reduce(0) { $0 + $1.count }
        bytes = Self.bytes(of: part)
        sha256 = digest.total
        self.findings = findings
    }

    /// Reads the metadata of a backup.
    ///
    /// - Throws: ``AdminError`` if the backup or its metadata doesn't exist, or if the metadata is invalid.
    init(readingMetadataOf path: String) throws {
        let metadataPath = Self.metadataPath(of: path)
        guard let data = FileManager.default.contents(atPath: metadataPath),
            FileManager.default.fileExists(atPath: path)
        else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing,
                message: "there is no backup \(path) with the metadata file \(metadataPath).",
                hint: "Run 'storectl backup list' to list the backups.")
        }
        let problems = JSONProblems()
        guard let document = try? JSONDocument(data),
            var reader = JSONObjectReader(document.root, as: "metadata", problems),
            reader.string("schema") == Self.schema, let store = reader.string("store"),
            let date = reader.string("date"), let objects = reader.int("objects"),
            let bytes = reader.int("bytes"),
            let sha256 = reader.string("sha256")
        else {
            throw AdminError.badData(
                "the file \(metadataPath) is not the metadata of a backup.",
                hint: "Run 'storectl backup list' to list the backups.")
        }
        self.path = path
        self.store = store
        location = reader.string("place")
        self.date = date
        self.objects = objects
        self.bytes = Int64(bytes)
        self.sha256 = sha256
        findings = reader.int("findings")
    }

    /// The metadata as a JSON document.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "schema": .string(Self.schema), "store": .string(store), "date": .string(date),
            "objects": .int(objects), "bytes": .int(Int(bytes)), "sha256": .string(sha256),
        ]
        members["place"] = location.map { .string($0) }
        members["findings"] = findings.map { .int($0) }
        return .object(members)
    }

    /// Returns the backup as a store that can be read.
    func opened(with backend: StoreBackend) throws -> AdministeredStore {
        AdministeredStore(name: nil, url: try Self.url(of: path), backend: backend, isProduction: false)
    }

    static func url(of path: String) throws -> StoreURL { try StoreURL("sqlite:backup").replacingPath(path) }

    /// Whether the file has the size that the metadata records; a truncated file doesn't.
    var hasRecordedSize: Bool { bytes > 0 && Self.bytes(of: path) == bytes }

    private static func bytes(of path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
}

extension StoreBackup {
    /// The maximum number of obstacles to list for a backup.
    private static let maximumObstacles = 100

    /// Returns the damage of the backup's file, or a finding if its objects have changed since it was made; empty if it is intact.
    func findings(_ backend: StoreBackend, _ output: Output) throws -> [String] {
        let store = try opened(with: backend)
        let damage = try store.damage(output)
        if !damage.isEmpty { return damage }
        let found = try store.readAll("verify") { session, model in
            try StoreDigest(session, model, of: model.layouts, output).total
        }
        return found == sha256
            ? [] : ["The objects have the digest \(found), but the metadata says \(sha256)."]
    }

    /// Returns the findings that prevent copying the backup, object by object, into a store of another backend.
    func obstacles(_ backend: StoreBackend, _ output: Output) throws -> [String] {
        try Self.obstacles(of: opened(with: backend), output)
    }

    /// Returns the findings that prevent copying a store, object by object, into a store of another backend.
    static func obstacles(of store: AdministeredStore, _ output: Output) throws -> [String] {
        try store.readAll("verify") { session, model in
            let progress = ProgressLine(output)
            defer { progress.finish() }
            var checking = StoreChecker(
                session: session, model: model, kinds: StoreFinding.Kind.copyObstacles,
                limit: maximumObstacles, progress: progress.report)
            try checking.check(model.layouts)
            return checking.findings.map(\.sentence)
        }
    }
}
