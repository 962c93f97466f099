import ContextCore
import Foundation

/// One backup: a store in a SQLite file, and what is known of it in a file beside it.
struct StoreBackup: Sendable, Equatable {
    /// Names the shape of the file beside it.
    static let schema = "storectl.backup/1"

    /// The SQLite file.
    let path: String
    /// What the store is called that it is of.
    let store: String
    /// Where that store is, apart from who logs in; nil in a backup of before that was noted.
    let place: String?
    /// When it was made.
    let date: String
    let objects: Int
    let bytes: Int64
    /// The digest of its objects, as `data checksum` prints it.
    let sha256: String
    /// How many findings keep it from being restored onto a server; nil where that was not looked for when it was made.
    let findings: Int?

    /// The file with what is known of a backup.
    static func notes(of path: String) -> String { path + ".json" }

    /// - Parameter part: Where the file is until it has its name.
    init(
        path: String, part: String, store: String, place: String?, date: String, digest: StoreDigest,
        findings: Int?
    ) {
        self.path = path
        self.store = store
        self.place = place
        self.date = date
        objects = digest.entities.reduce(0) { $0 + $1.count }
        bytes = Self.bytes(of: part)
        sha256 = digest.total
        self.findings = findings
    }

    /// Reads what is known of a backup.
    ///
    /// - Throws: ``AdminError`` where there is no such file, or it is wrong.
    init(readingNotesOf path: String) throws {
        let notes = Self.notes(of: path)
        guard let data = FileManager.default.contents(atPath: notes),
            FileManager.default.fileExists(atPath: path)
        else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing,
                message: "there is no backup \(path) with its notes \(notes).",
                hint: "Run 'storectl backup list'.")
        }
        let problems = JSONProblems()
        guard let document = try? JSONDocument(data),
            var reader = JSONObjectReader(document.root, as: "notes", problems),
            reader.string("schema") == Self.schema, let store = reader.string("store"),
            let date = reader.string("date"), let objects = reader.int("objects"),
            let bytes = reader.int("bytes"),
            let sha256 = reader.string("sha256")
        else { throw AdminError.badData("\(notes): these are no notes of a backup.") }
        self.path = path
        self.store = store
        place = reader.string("place")
        self.date = date
        self.objects = objects
        self.bytes = Int64(bytes)
        self.sha256 = sha256
        findings = reader.int("findings")
    }

    /// The notes as a document.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "schema": .string(Self.schema), "store": .string(store), "date": .string(date),
            "objects": .int(objects), "bytes": .int(Int(bytes)), "sha256": .string(sha256),
        ]
        members["place"] = place.map { .string($0) }
        members["findings"] = findings.map { .int($0) }
        return .object(members)
    }

    /// The backup as a store that can be read.
    func opened(with backend: StoreBackend) throws -> AdministeredStore {
        AdministeredStore(name: nil, url: try Self.url(of: path), backend: backend, isProduction: false)
    }

    static func url(of path: String) throws -> StoreURL { try StoreURL("sqlite:backup").replacingPath(path) }

    /// Whether its file has the size that its notes say; one that was cut short or emptied is no backup.
    var isWhole: Bool { bytes > 0 && Self.bytes(of: path) == bytes }

    private static func bytes(of path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
}

extension StoreBackup {
    /// How many obstacles of one backup are named.
    private static let mostObstacles = 100

    /// What is damaged in it, or differs from when it was made; nothing where it is sound.
    func findings(_ backend: StoreBackend, _ output: Output) throws -> [String] {
        let store = try opened(with: backend)
        let damage = try store.damage(output)
        if !damage.isEmpty { return damage }
        let found = try store.read("verify") { session, model in
            try StoreDigest(session, model, of: model.layouts, output).total
        }
        return found == sha256 ? [] : ["Its objects have the digest \(found), and had \(sha256)."]
    }

    /// What keeps it from being copied, object by object, into a store of another backend.
    func obstacles(_ backend: StoreBackend, _ output: Output) throws -> [String] {
        try Self.obstacles(of: opened(with: backend), output)
    }

    /// What keeps a backup that has no name yet from being copied, object by object, into a store of another backend.
    static func obstacles(of store: AdministeredStore, _ output: Output) throws -> [String] {
        try store.read("verify") { session, model in
            let progress = ProgressLine(output)
            defer { progress.finish() }
            var checking = StoreChecking(
                session: session, model: model, kinds: StoreFinding.Kind.ofCopying,
                limit: mostObstacles, progress: progress.tell)
            try checking.check(model.layouts)
            return checking.findings.map(\.sentence)
        }
    }
}
