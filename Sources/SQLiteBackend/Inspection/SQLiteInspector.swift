#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Inspects a SQLite file, which need not be a store.
///
/// One thread at a time uses its connection.
final class SQLiteInspector: StoreInspector {
    let file: StoreFile
    let connection: SQLiteConnection
    let configuration: SQLiteConfiguration

    /// Opens an existing file for reading.
    init(_ configuration: SQLiteConfiguration) throws(StoreError) {
        guard let path = configuration.path else {
            throw StoreError(
                .unsupportedRequest,
                "An in-memory store can't be inspected, because it ends with its program.",
                remedy: "Give the path of a file.")
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
        // The last connection to a file checkpoints its log when it closes. An inspector leaves an existing log in place.
        if hasLog {
            _ = csqlite_db_config_flag(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nil)
        }
    }

    /// Throws if the file is not a database, without a lock and without changing anything.
    private static func checkKind(of file: StoreFile, _ configuration: SQLiteConfiguration) throws(StoreError)
    {
        do throws(StoreError) {
            try file.checkHeader(configuration.testHooks)
        } catch StoreError.Code.notAStore {
            // Databases of other programs can be inspected, too.
        }
    }

    func models() throws -> [StoredModel] {
        let header = try StoreHeader(reading: connection)
        if header.isEmpty {
            throw StoreError(
                .notAStore, "The file “\(file.path)” is empty and contains no store.",
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

    func databaseInfo() throws -> StoreFacts {
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
            connection.watch.begin(isCancellable: true)
            defer { connection.watch.end() }
            return try SQLiteScript(connection: connection, isReading: true).run(statement, limit: limit)
        }
        let writer = try SQLiteConnection.open(.readAndWrite, file, configuration)
        defer { writer.close() }
        return try SQLiteScript(connection: writer).run(statement, limit: limit)
    }

    func close() { connection.close() }

    /// Returns the first column of a query's rows.
    func texts(_ sql: String) throws(StoreError) -> [String] {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        var texts: [String] = []
        while try statement.step() { texts.append(try statement.text(0)) }
        return texts
    }

    private func value(of pragma: String) throws(StoreError) -> String { try connection.text(pragma) ?? "" }
}

/// The sizes of files.
enum FileSize {
    /// Returns the number of bytes of a file, or 0 if there is none.
    static func bytes(of path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
}
#endif
