#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Looks into a SQLite file, a store or not.
///
/// State: its connection and whether it is closed, used by one thread at a time.
final class SQLiteInspector: StoreInspector {
    let file: StoreFile
    let connection: SQLiteConnection
    let configuration: SQLiteConfiguration

    /// Opens a file that is there, for reading.
    init(_ configuration: SQLiteConfiguration) throws(StoreError) {
        guard let path = configuration.path else {
            throw StoreError(
                .unsupportedRequest, "A store in memory is gone when its program ends.",
                remedy: "Name a file.")
        }
        self.configuration = configuration
        file = try StoreFile(path)
        guard file.exists else {
            throw StoreError(
                .storeNotFound, "There is no store at “\(file.path)”.", remedy: "Correct the path.")
        }
        try Self.checkKind(of: file, configuration)
        let hasLog = FileSize.bytes(of: file.log) > 0
        connection = try SQLiteConnection.open(.read, file, configuration)
        // The last connection to a file moves its log into the file when it is closed. An inspector leaves a log where it is.
        if hasLog {
            _ = csqlite_db_config_flag(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nil)
        }
    }

    /// Refuses what is no database, without a lock and without touching anything.
    private static func checkKind(of file: StoreFile, _ configuration: SQLiteConfiguration) throws(StoreError)
    {
        do throws(StoreError) {
            try file.checkHeader(configuration.seams)
        } catch StoreError.Code.notAStore {
            // Another program's database can be looked into as well.
        }
    }

    func models() throws -> [StoredModel] {
        let header = try StoreHeader(asking: connection)
        if header.isEmpty {
            throw StoreError(
                .notAStore, "The file “\(file.path)” is empty: there is no store in it.",
                remedy: "Correct the path.")
        }
        try header.check(file)
        let statement = try connection.statement(
            "SELECT \"number\", \"fingerprint\", \"model\" FROM \"_store_models\" ORDER BY \"number\"")
        defer { statement.reset() }
        var models: [StoredModel] = []
        while try statement.step() {
            models.append(
                StoredModel(
                    number: Int(statement.integer(0)), fingerprint: try statement.text(1),
                    fileText: try statement.text(2)))
        }
        return models
    }

    func facts() throws -> StoreFacts {
        var settings: [StoreFacts.Setting] = []
        for name in [
            "journal_mode", "page_size", "page_count", "freelist_count", "encoding", "auto_vacuum",
            "user_version",
        ] {
            settings.append(.init(name, try value(of: "PRAGMA \(name)")))
        }
        let size = FileSize.bytes(of: file.path)
        let log = FileSize.bytes(of: file.log)
        settings.append(.init("log_bytes", String(log)))
        return StoreFacts(
            product: "SQLite", version: SQLiteLibrary.version, bytes: size + log, settings: settings)
    }

    func damage() throws -> [String] { try DamageSearch(connection: connection).findings() }

    func run(_ statement: String, writing: Bool, limit: Int?) throws -> StatementRows {
        if !writing {
            ReadingAuthorizer.install(on: connection)
            defer { ReadingAuthorizer.remove(from: connection) }
            return try SQLiteScript(connection: connection, isReading: true).run(statement, limit: limit)
        }
        let writer = try SQLiteConnection.open(.readAndWrite, file, configuration)
        defer { writer.close() }
        return try SQLiteScript(connection: writer).run(statement, limit: limit)
    }

    func close() { connection.close() }

    /// The first column of a statement's rows.
    func texts(_ sql: String) throws(StoreError) -> [String] {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        var texts: [String] = []
        while try statement.step() { texts.append(try statement.text(0)) }
        return texts
    }

    private func value(of pragma: String) throws(StoreError) -> String { try connection.text(pragma) ?? "" }
}

/// How large files are.
enum FileSize {
    /// How many bytes a file has; 0 where there is none.
    static func bytes(of path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
}
#endif
